// Asking whether work has finished, on a clock that only moves when somebody acts.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// A program that polls must see time pass. Each query that finds work unfinished moves the host's clock on, twice as
/// far as the one before, so that even a long wait takes few polls.
inline constexpr double kFirstPollUs = 0.5;
inline thread_local double poll_us = kFirstPollUs;

/// @returns cudaSuccess if @p finished() holds, otherwise cudaErrorNotReady
template <class Finished>
cudaError_t poll(Runtime& runtime, Finished finished) {
  if (finished()) {
    poll_us = kFirstPollUs;
    return cudaSuccess;
  }
  runtime.timeline.advance_host(poll_us);
  poll_us *= 2;
  return cudaErrorNotReady;
}

}  // namespace warpbook::simulator::runtime
