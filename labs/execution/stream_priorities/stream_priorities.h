// The contract of exercise stream_priorities: kernels that may go first.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup stream_priorities Exercise stream_priorities
/// Kernels that may go first. Priorities are numbers, and the lower the number, the higher the priority.
/// `cudaDeviceGetStreamPriorityRange(&least, &greatest)` says which ones a GPU has, for example 0 and -5.
/// `cudaStreamCreateWithPriority(&stream, flags, priority)` makes a stream; one made without a priority has 0. A
/// priority counts where blocks of kernels wait for room on multiprocessors, and nowhere else.
/// @{

/// Returns the highest priority that a stream can have on this GPU, or, if `highest` is 0, the lowest.
int priority(int highest);

/// Launches the skeleton's add_kernel four times on `bulk`, in a stream of the lowest priority, then once on `urgent`,
/// in one of the highest. Neither stream waits for the default stream (cudaStreamNonBlocking). Waits for both, and
/// destroys them. The urgent kernel ends long before the others.
/// @param bulk   device, 2^20 elements, to each of which 4 is added
/// @param urgent device, `count` elements, 1 to 2000, to each of which 1 is added
void serve(int* bulk, int* urgent, int count);

/// Predicts which statements are true.
///   1. Running blocks make room for an urgent kernel at once.
///   2. A kernel of high priority gets the next room for blocks that becomes free.
///   3. Copies between host and device go by priority.    4. Every GPU has the priorities 0 and -1 only.
///   5. An urgent kernel may begin before an earlier one in the same stream.
///   6. cudaStreamCreate() makes a stream of the lowest priority.
/// @returns 1 if `statement` is true, 0 if not
int holds(int statement);

/// @}
