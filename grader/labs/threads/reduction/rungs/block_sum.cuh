// The sum of a block's values with warp shuffles, as the rungs above the tree in shared memory use it.
#include "grader/labs/threads/reduction/rungs/passes.cuh"

__device__ inline float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

/// All threads of the block must call it; thread 0 gets the sum.
__device__ inline float sum_of_block(float value) {
  __shared__ float of_warps[kThreads / 32];
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) value = sum_of_warp(threadIdx.x < kThreads / 32 ? of_warps[threadIdx.x] : 0.0f);
  return value;
}
