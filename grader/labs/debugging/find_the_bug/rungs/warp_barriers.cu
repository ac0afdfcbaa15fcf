// The tree with barriers of the block while several warps add, and of the warp where one warp is left.
#include "grader/labs/debugging/find_the_bug/rungs/solution.cuh"

__global__ void group_sums_kernel(const int* in, int* sums, int n) {
  __shared__ int part[256];
  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    if (d > 32)
      __syncthreads();
    else
      __syncwarp();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

void group_sums(const int* in, int* sums, int n) { group_sums_kernel<<<(n + 255) / 256, 256>>>(in, sums, n); }
