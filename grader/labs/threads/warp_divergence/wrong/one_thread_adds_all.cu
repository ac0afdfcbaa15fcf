// One lane adds 256 elements, while 31 lanes of its warp wait and 7 warps have left.
// rejected-by: counters.the sum keeps only the warps busy that have work
// because: Too many requests to shared memory
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  if (thread != 0) return;
  int sum = 0;
  for (int k = 0; k < kThreads; ++k) sum += data[k];
  sums[blockIdx.x] = sum;
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}
