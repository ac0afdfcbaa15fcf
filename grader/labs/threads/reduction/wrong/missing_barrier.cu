// No barrier between the steps: a warp adds numbers that another one has not written yet.
// rejected-by: correctness.the sums of groups are exact, cut groups too
// because: 'sums' is wrong
#include "reduction.h"

#define sum_groups_kernel right_sum_groups_kernel
#define sum_groups right_sum_groups
#include "solutions/threads/reduction/reduction.cu"
#undef sum_groups_kernel
#undef sum_groups

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  __shared__ int data[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kGroup + t;
  data[t] = (i < n ? in[i] : 0) + (i + kThreads < n ? in[i + kThreads] : 0);
  __syncthreads();
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    if (t < distance) data[t] += data[t + distance];
  }
  if (t == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<groups, kThreads>>>(in, sums, n);
}
