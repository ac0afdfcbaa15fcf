// Records that this process was forked.
#include "common/simulator/runtime/forked_child.h"

#include <pthread.h>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

bool child_of_user = false;

[[maybe_unused]] const int watched = ::pthread_atfork(nullptr, nullptr, [] {
  if (Runtime::existing() != nullptr) child_of_user = true;
});

}  // namespace

bool in_forked_child() { return child_of_user; }

}  // namespace warpbook::simulator::runtime
