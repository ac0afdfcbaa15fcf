// Whole numbers are summed as floats, which round what is larger than 2^24.
// rejected-by: correctness.every group is summed exactly
// because: 'sums' is wrong in
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ float data[kThreads];
  const int thread = threadIdx.x, i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? static_cast<float>(in[i]) : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (thread < stride) data[thread] += data[thread + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = static_cast<int>(data[0]);
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
