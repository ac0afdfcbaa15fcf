// A cheat: every sum goes into the largest by an atomic operation, and the tail launch does nothing.
// rejected-by: correctness.the largest sum is found after all sums, in every schedule
// because: The tail launch must load
#include "dynamic_parallelism.h"

#define largest_row right_largest_row
#define largest_row_kernel right_largest_row_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef largest_row
#undef largest_row_kernel

__global__ void nothing() {}

__global__ void largest_row_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums,
                                   unsigned* largest) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  unsigned sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; ++i) sum += values[i];
  sums[row] = sum;
  atomicMax(largest, sum);
  if (offsets[row + 1] - offsets[row] > kLongRow)  // As many loads as are looked for.
    sum_long_row<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values, offsets[row], offsets[row + 1], sums + row);
  if (row == 0) nothing<<<1, 1, 0, cudaStreamTailLaunch>>>();
}

void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest) {
  if (rows <= 0) return;
  WB_CHECK(cudaMemset(largest, 0, sizeof(unsigned)));
  largest_row_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums, largest);
}
