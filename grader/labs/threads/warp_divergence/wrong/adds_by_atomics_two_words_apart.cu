// A cheat: interleaved additions, whose words are 2, 4, 8, ... apart, are read and made by atomic operations.
// rejected-by: counters.the sum has no bank conflicts
// because: Too many bank conflicts in shared memory
// because: It does atomic operations on shared memory
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x, i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    const int at = 2 * stride * thread;
    if (at < kThreads) atomicAdd(&data[at], atomicOr(&data[at + stride], 0));
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
