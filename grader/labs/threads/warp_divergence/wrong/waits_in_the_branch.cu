// The barrier stands inside the branch, where not every thread comes by.
// rejected-by: correctness.every group is summed exactly
// because: __syncthreads
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (thread < stride) {
      data[thread] += data[thread + stride];
      __syncthreads();
    }
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
