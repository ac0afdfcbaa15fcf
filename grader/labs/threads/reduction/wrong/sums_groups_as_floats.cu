// Groups of whole numbers are summed as floats, which round what is larger than 2^24.
// rejected-by: correctness.the sums of groups are exact, cut groups too
// because: 'sums' is wrong
#include "reduction.h"

#define sum_groups_kernel right_sum_groups_kernel
#define sum_groups right_sum_groups
#include "solutions/threads/reduction/reduction.cu"
#undef sum_groups_kernel
#undef sum_groups

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  float value = 0;
  for (int i = blockIdx.x * kGroup + threadIdx.x; i < n && i < (blockIdx.x + 1) * kGroup; i += kThreads)
    value += static_cast<float>(in[i]);
  value = sum_of_block(value);
  if (threadIdx.x == 0) sums[blockIdx.x] = static_cast<int>(value);
}

void sum_groups(const int* in, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<groups, kThreads>>>(in, sums, n);
}
