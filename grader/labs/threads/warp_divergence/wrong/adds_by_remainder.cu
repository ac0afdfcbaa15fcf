// The busy threads of a step are spread over all warps: with distance 16, each of 8 warps works for one lane.
// rejected-by: counters.the sum keeps only the warps busy that have work
// because: Too many requests to shared memory
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    if (thread % (2 * stride) == 0) data[thread] += data[thread + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
