// The remainder is taken by 2 * stride - 1, so that the wrong threads add.
// rejected-by: correctness.every group is summed exactly
// because: 'sums' is wrong in
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    if (thread % (2 * stride - 1) == 0 && thread + stride < int(blockDim.x)) data[thread] += data[thread + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
