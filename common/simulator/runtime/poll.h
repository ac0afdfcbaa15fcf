// Queries of unfinished work, on a clock that only moves when something happens.
#pragma once

#include <algorithm>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// A program that polls must see time pass. Each query that finds work unfinished advances the host's clock by twice
/// the previous step, up to a limit, so that even a long wait takes few polls and none overshoots by much.
inline constexpr double kFirstPollUs = 0.5, kLongestPollUs = 256;
inline thread_local double poll_us = kFirstPollUs;

/// @returns cudaSuccess if @p finished() holds, otherwise cudaErrorNotReady
template <class Finished>
cudaError_t poll(Runtime& runtime, Finished finished) {
  if (finished()) {
    poll_us = kFirstPollUs;
    return cudaSuccess;
  }
  runtime.timeline.advance_host(poll_us);
  poll_us = std::min(2 * poll_us, kLongestPollUs);
  return cudaErrorNotReady;
}

}  // namespace warpbook::simulator::runtime
