// Every row gets a child, the short ones too, whose launch costs more than their sum.
// rejected-by: counters.long rows get a child, and only they
// because: Too many launches by kernels
#include "dynamic_parallelism.h"

#define sum_rows right_sum_rows
#define sum_rows_kernel right_sum_rows_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef sum_rows
#undef sum_rows_kernel

__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  const int begin = offsets[row], end = offsets[row + 1];
  sum_long_row<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values, begin, end, sums + row);
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows > 0) sum_rows_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums);
}
