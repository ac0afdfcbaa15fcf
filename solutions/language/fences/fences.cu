// Exercise fences: writes that others see in order. fences.h says what each function must do.
#include "common/cuda/check.cuh"
#include "fences.h"

/// Given: the sum of `own` over all threads of the block, which each of them gets.
__device__ int sum_of_block(int own) {
  __shared__ int total;
  __syncthreads();
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, own);
  __syncthreads();
  return total;
}

// BEGIN SOLUTION
// TODO(student): write the kernel. All threads of the last block must know that theirs is the last. (15 lines)
__global__ void add_up_kernel(const int* in, int* sums, unsigned* done, int* out, int count) {
  __shared__ bool is_last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int of_block = sum_of_block(i < count ? in[i] : 0);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = of_block;
    __threadfence();
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  int own = 0;
  for (int block = threadIdx.x; block < gridDim.x; block += blockDim.x) own += sums[block];
  const int total = sum_of_block(own);
  if (threadIdx.x == 0) *out = total;
}
// END SOLUTION

void add_up(const int* in, int* sums, unsigned* done, int* out, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  add_up_kernel<<<(count + 255) / 256, 256>>>(in, sums, done, out, count);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int possible(int fences, int a, int b) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): what does b == 20 say about a? (2 lines)
  if ((a != 1 && a != 10) || (b != 2 && b != 20)) return 0;
  return fences != 3 || a == 10 || b == 2;
  // END SOLUTION
}
