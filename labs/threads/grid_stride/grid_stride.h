// The contract of exercise grid_stride: a grid of the size of the GPU, whatever the size of the data.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup grid_stride Exercise grid_stride
/// A grid of the size of the GPU, whatever the size of the data.
/// @{

/// Predicts how many elements one thread adds at most, if a grid of `threads` threads adds `count` elements as below.
int most_for_a_thread(int count, int threads);

/// Adds all elements: `*sum = in[0] + in[1] + ... + in[count - 1]`, in one launch on the default stream. The grid has
/// as many blocks as the GPU runs at a time, but no more than the elements need: these threads stay for the whole sum.
/// With n threads in the grid, thread t adds in[t], in[t + n], in[t + 2 n], ... in a register, and adds its sum to
/// `*sum` with one atomicAdd at the end. On an H200, with 132 multiprocessors of 2048 threads each, a large sum must
/// use between 135,168 (half) and 270,336 threads (all). `cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks,
/// kernel, threads_in_a_block, 0)` says how many blocks of a kernel a multiprocessor runs at a time,
/// `cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 0)` how many multiprocessors there are.
/// @param in    device, `count` elements, 0 to 500 each; only read
/// @param sum   device, one element, 0 at the start
/// @param count 0 to 2^22; for 0 nothing is done
void add_up(const int* in, int* sum, int count);

/// @}
