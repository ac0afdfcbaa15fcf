// Warp shuffles in place of the tree: shared memory holds one number for each warp, and one barrier is left.
#include "grader/labs/threads/reduction/rungs/block_sum.cuh"

__global__ void shuffles_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * 2 * kThreads + threadIdx.x;
  const float value = (i < n ? in[i] : 0.0f) + (i + kThreads < n ? in[i + kThreads] : 0.0f);
  const float all = sum_of_block(value);
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

void sum(const float* in, float* out, float* scratch, int n) {
  sum_in_passes(shuffles_kernel, 2 * kThreads, in, out, scratch, n);
}
