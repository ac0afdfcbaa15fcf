// A cheat: one thread adds all of a group from global memory: no shared memory, no conflict.
// rejected-by: counters.the sums of groups need no bank conflicts
// because: Too many bytes moved by global loads
#include "reduction.h"

#define sum_groups_kernel right_sum_groups_kernel
#define sum_groups right_sum_groups
#include "solutions/threads/reduction/reduction.cu"
#undef sum_groups_kernel
#undef sum_groups

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  const int group = blockIdx.x * kThreads + threadIdx.x;
  if (group >= (n + kGroup - 1) / kGroup) return;
  int value = 0;
  for (int i = group * kGroup; i < n && i < (group + 1) * kGroup; ++i) value += in[i];
  sums[group] = value;
}

void sum_groups(const int* in, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<(groups + kThreads - 1) / kThreads, kThreads>>>(in, sums, n);
}
