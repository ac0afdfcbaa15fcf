// Exercise grid_stride: a grid of the size of the GPU, whatever the size of the data. See grid_stride.h.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "grid_stride.h"

constexpr int kThreads = 256;  // In a block.

int most_for_a_thread(int count, int threads) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): write it down before you go on. (1 line)
  return (count + threads - 1) / threads;
  // END SOLUTION
}

// BEGIN SOLUTION
// TODO(student): write the kernel. (6 lines)
__global__ void add_up_kernel(const int* in, int* sum, int count) {
  const int threads = gridDim.x * blockDim.x;
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) own += in[i];
  atomicAdd(sum, own);
}
// END SOLUTION

void add_up(const int* in, int* sum, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): ask how many blocks run at a time, and launch them. (6 lines)
  int blocks = 0, multiprocessors = 0;
  WB_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_up_kernel, kThreads, 0));
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  blocks = std::min(blocks * multiprocessors, (count + kThreads - 1) / kThreads);
  if (blocks > 0) add_up_kernel<<<blocks, kThreads>>>(in, sum, count);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}
