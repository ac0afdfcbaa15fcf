// How long a call takes on a real GPU with nothing of its data in the L2 cache.
#pragma once

#include <functional>

namespace warpbook::grader {

/// Before each call the L2 cache is filled with other lines: first written ones, then only read ones, each several
/// times its size. Any part that an earlier call set aside for persisting accesses is released.
///
/// Timing::queued enqueues the events and the call after that work without waiting, so that the GPU goes from one to
/// the next and the time of the host's calls is hidden. Timing::waiting waits in between: an answer that works on
/// streams which do not wait for the default one could begin early otherwise. The grader takes both and compares them.
///
/// Work that the call left running on other streams counts: the timer waits for the device after the end event, and
/// that time is added. The runtime's functions are looked up in the runtime's library: an answer that defines functions
/// of the same names does not replace them.
///
/// Only workers for a real GPU have it: on the virtual one the grader takes the time from the profile.
/// @returns microseconds. @throws CudaError with what the call left behind
double time_cold(const std::function<void()>& call);

}  // namespace warpbook::grader
