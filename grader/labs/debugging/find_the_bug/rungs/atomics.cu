// A fix by atomics on one element of shared memory: the compiler lets one lane add for its warp.
#include "grader/labs/debugging/find_the_bug/rungs/solution.cuh"

__global__ void group_sums_kernel(const int* in, int* sums, int n) {
  __shared__ int sum;
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void group_sums(const int* in, int* sums, int n) { group_sums_kernel<<<(n + 255) / 256, 256>>>(in, sums, n); }
