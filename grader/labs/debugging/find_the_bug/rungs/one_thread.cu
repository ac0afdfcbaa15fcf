// A fix that takes the parallelism away: one thread of the block adds, so that nothing has to be put in order.
#include "grader/labs/debugging/find_the_bug/rungs/solution.cuh"

__global__ void group_sums_kernel(const int* in, int* sums, int n) {
  if (threadIdx.x > 0) return;
  int sum = 0;
  for (int i = blockIdx.x * 256; i < min(n, blockIdx.x * 256 + 256); ++i) sum += in[i];
  sums[blockIdx.x] = sum;
}

void group_sums(const int* in, int* sums, int n) { group_sums_kernel<<<(n + 255) / 256, 256>>>(in, sums, n); }
