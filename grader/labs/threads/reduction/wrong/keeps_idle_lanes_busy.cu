// A cheat: a tree by remainder, and then whole warps that compute for nobody: on average, most lanes work.
// rejected-by: counters.the sums of groups let whole warps rest
// because: Too many idle lanes
#include "reduction.h"

#define sum_groups_kernel right_sum_groups_kernel
#define sum_groups right_sum_groups
#include "solutions/threads/reduction/reduction.cu"
#undef sum_groups_kernel
#undef sum_groups

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  __shared__ int data[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kGroup + t;
  data[t] = (i < n ? in[i] : 0) + (i + kThreads < n ? in[i + kThreads] : 0);
  __syncthreads();
  for (int distance = 1; distance < kThreads; distance *= 2) {
    if (t % (2 * distance) == 0) data[t] += data[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = data[0];
  float x = t;
#pragma unroll 16
  for (int turn = 0; turn < 64; ++turn) x = x * 1.5f + 2.0f;
  if (x == -1) sums[blockIdx.x] = 0;
}

void sum_groups(const int* in, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<groups, kThreads>>>(in, sums, n);
}
