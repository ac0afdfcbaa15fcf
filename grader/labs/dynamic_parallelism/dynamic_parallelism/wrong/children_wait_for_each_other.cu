// The children of a block go into its NULL stream, where each waits for the one before it.
// rejected-by: counters.children of one block run at the same time
// because: Too few children that run at the same time: 1; at least 4
// because: wait for each other
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
  if (end - begin > kLongRow) {
    sum_long_row<<<1, kThreads>>>(values, begin, end, sums + row);
    return;
  }
  unsigned sum = 0;
  for (int i = begin; i < end; ++i) sum += values[i];
  sums[row] = sum;
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows > 0) sum_rows_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums);
}
