// The busy threads are packed into few warps, but their elements lie 2 * stride words apart: bank conflicts.
// rejected-by: counters.the sum has no bank conflicts
// because: interleaved_addresses.cu:
// because: bank conflict
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    const int at = 2 * stride * thread;
    if (at < int(blockDim.x)) data[at] += data[at + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
