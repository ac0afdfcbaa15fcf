// Whether a host function that is put into a stream now has to wait for its turn.
#pragma once

#include <mutex>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// What is in the stream waits for the host or for other work: a function behind it runs later.
/// @param is_silent as far as the checks know, the host has not waited for that (host_function.h)
inline bool comes_later(cudaStream_t handle, bool is_silent = false) {
  const std::lock_guard guard(runtime_lock());
  Runtime* const runtime = Runtime::existing();
  if (runtime == nullptr || runtime->has_failed() || runtime->capturing != 0) return false;
  const OnDevice here(current_device());
  const Stream* const stream = runtime->find_stream(handle);
  if (stream == nullptr) return false;
  return !(is_silent ? runtime->backlog.work_off(*stream) : runtime->backlog.try_to_finish(*stream));
}

}  // namespace warpbook::simulator::runtime
