// The contract of exercise host_callbacks: a step of the host between two kernels, in a stream.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup host_callbacks Exercise host_callbacks
/// A step of the host between two kernels, in a stream. `cudaLaunchHostFunc(stream, function, data)` puts a call of
/// `function(data)` into a stream: it happens when all that was put there before has ended, and what comes later waits
/// for it. The function is declared as `void CUDART_CB function(void* data)`.
/// @{

/// Multiplies all elements by gain_of(their sum), which only the host can compute. Puts these steps into one new
/// stream, and waits only once, at the end: a memset of *sum to 0, sum_kernel, a copy of the sum to the host, a host
/// function, a copy of the gain to the device, over *sum, scale_kernel. The host's two numbers are in pinned memory, as
/// asynchronous copies need it. The kernels and gain_of() are in the skeleton.
/// @param data device, `count` elements, 1 to 2^18, 0 to 100 each
/// @param sum  device, one element, which already holds a value
void normalise(int* data, int* sum, int count);

/// Predicts which statements are true of a host function.
///   1. It may launch kernels and copy.                     2. What comes later in its stream waits for it.
///   3. What is in other streams waits for it.              4. cudaStreamSynchronize() waits for it.
///   5. Host functions in different streams run in the order of the calls of cudaLaunchHostFunc().
///   6. It runs in the thread that called cudaLaunchHostFunc().
/// @returns 1 if `statement` is true, 0 if not
int holds(int statement);

/// @}
