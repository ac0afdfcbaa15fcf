// A cheat: long rows are summed by the parent's block, and children that do nothing are launched for them.
// rejected-by: counters.long rows get a child, and only they
// because: The children for long rows must load
#include "dynamic_parallelism.h"

#define sum_rows right_sum_rows
#define sum_rows_kernel right_sum_rows_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef sum_rows
#undef sum_rows_kernel

__global__ void nothing() {}

// A block for each row: it needs no child, and is faster than any.
__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, unsigned* sums) {
  __shared__ unsigned total;
  const int begin = offsets[blockIdx.x], end = offsets[blockIdx.x + 1];
  if (threadIdx.x == 0) {
    total = 0;
    if (end - begin > kLongRow) nothing<<<1, 1, 0, cudaStreamFireAndForget>>>();
  }
  __syncthreads();
  unsigned sum = 0;
  for (int i = begin + threadIdx.x; i < end; i += kThreads) sum += values[i];
  atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows > 0) sum_rows_kernel<<<rows, kThreads>>>(values, offsets, sums);
}
