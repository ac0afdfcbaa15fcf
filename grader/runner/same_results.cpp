// Compares what two runs sent back.
#include "grader/runner/same_results.h"

#include <algorithm>

#include "grader/judge/call.h"
#include "grader/runner/protocol.h"

namespace warpbook::grader {
namespace {

/// Whether the device had work left when the last call returned (require_done). How much is a time.
bool has_left(const Answer& answer) { return answer.device.has(kLeft) && answer.device.real(kLeft) > 0; }

}  // namespace

bool same_results(const Answer& documented, const Answer& other) {
  const auto is_same = [](const auto& x, const auto& y) {
    return x == y || (x.first == y.first && (x.first == kMeasuredUs || x.first == kLeft));
  };
  return std::ranges::equal(documented.reply.all(), other.reply.all(), is_same) &&
         (has_left(documented) || !has_left(other));
}

}  // namespace warpbook::grader
