// The first rung: every thread adds its element. All lanes of all warps take turns on one address.
#include "grader/labs/threads/atomics/rungs/solution.cuh"

__global__ void each_element(const float* in, float* sum, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

void sum_by_blocks(const float* in, float* sum, int n) {
  cudaMemsetAsync(sum, 0, sizeof(float));
  if (n > 0) each_element<<<pieces(n, kThreads), kThreads>>>(in, sum, n);
}
