// The contract of exercise events: time and order by events.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup events Exercise events
/// Time and order by events. An event recorded in a stream is reached when all that was put there before has ended.
/// @{

/// Sets all elements to 0 by cudaMemsetAsync, then launches the skeleton's kernel, which adds 1 to each, and waits.
/// @param data  device, `count` elements, 1 to 2^22
/// @returns how long the kernel took, in microseconds: the time between two events around it,
/// as EventTimer of common/cuda/event_timer.cuh takes it
double kernel_us(int* data, int count);

/// Launches the skeleton's kernel in a new stream, so that first[i] grows by 1; then in another new stream, so that
/// second[i] becomes first[i] + 1, after an event says that the first kernel has ended. The host waits only for the
/// second.
/// @param first, second device, `count` elements each, 1 to 2^20
void chain(int* first, int* second, int count);

/// Predicts how long it takes from the first launch until all have ended, if each of `streams` streams gets one kernel
/// of `us` microseconds, and all of them have room on the device. The host launches stream by stream, begins on an idle
/// device, and takes no time for a call that does not wait. After each launch it calls
///   kind 0: nothing                                      kind 1: cudaEventRecord(event, stream)
///   kind 2: the same, then cudaEventSynchronize(event)   kind 3: the same, then cudaEventQuery(event), once
///   kind 4: cudaEventRecord(event, stream), then cudaStreamWaitEvent(next stream, event)
/// Kind 5 is as kind 0: predict what a timer on the host shows from before the first launch to right after the last.
int total_us(int kind, int streams, int us);

/// @}
