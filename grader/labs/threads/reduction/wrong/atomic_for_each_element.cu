// An atomic operation for each element: all of them wait for each other.
// rejected-by: counters.the sum needs at most one atomic for each block
// because: Too many atomic operations of warps on global memory
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  if (n > 0) sum_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
}
