// A cheat: the sum by remainder, and then whole warps that compute for nobody: on average, most lanes work.
// rejected-by: counters.the sum leaves few lanes idle
// because: Too many idle lanes
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x, i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    if (thread % (2 * stride) == 0) data[thread] += data[thread + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
  float x = thread;
#pragma unroll 16
  for (int turn = 0; turn < 96; ++turn) x = x * 1.5f + 2.0f;
  if (x == -1) sums[blockIdx.x] = 0;
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
