// The contract of exercise openmp_streams: threads of the host with a stream each.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup openmp_streams Exercise openmp_streams
/// Threads of the host with a stream each. `#pragma omp parallel num_threads(n)` has n threads run the block below it;
/// omp_get_thread_num() tells a thread its number, from 0 on. At `#pragma omp barrier` they wait for each other.
/// `cudaStreamPerThread` is a stream of the thread that names it: each has its own.
/// @{

/// Launches the skeleton's kernels from `threads` threads, 1 to 8. Thread t has the elements from count * t / threads
/// on, up to those of thread t + 1. It puts two kernels into its cudaStreamPerThread: squares[i] = in[i] * in[i], then
/// sums[i] = squares[i] + squares[(i + 1) % count]. Its last sum needs the first square of the next thread (of thread
/// 0, if it is the last): it must wait for an event of that thread. When the function returns, all work has ended.
/// @param in            device, `count` elements, -1000 to 1000; only read
/// @param squares, sums device, `count` elements
/// @param count         `threads` to 2^18
void square_and_add(const int* in, int* squares, int* sums, int count, int threads);

/// Predicts how long it takes until all has ended, if each of `threads` threads launches one kernel of `us`
/// microseconds, all at the same moment, and all have room on the device. The kernels go into
///   mode 0: stream 0, compiled as usual             mode 1: stream 0, compiled by nvcc --default-stream per-thread
///   mode 2: cudaStreamPerThread                     mode 3: one stream, which thread 0 has created for all
///   mode 4: streams that the threads have created, one each
///   mode 5: as 4, but `#pragma omp critical` stands before each block { launch; cudaStreamSynchronize(own stream); }
int total_us(int mode, int threads, int us);

/// @}
