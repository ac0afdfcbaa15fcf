// A cheat: a thread adds all of its group from global memory: no request to shared memory, and no conflict in it.
// rejected-by: counters.the sum keeps only the warps busy that have work
// because: Too many bytes moved by global loads
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  const int group = blockIdx.x * kThreads + threadIdx.x;
  if (group >= (count + kThreads - 1) / kThreads) return;
  int sum = 0;
  for (int i = group * kThreads; i < count && i < (group + 1) * kThreads; ++i) sum += in[i];
  sums[group] = sum;
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(blocks_for(count)), kThreads>>>(in, sums, count);
}
