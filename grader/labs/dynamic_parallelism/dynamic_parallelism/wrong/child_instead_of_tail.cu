// find_largest is an ordinary child: it waits for no other block and for no child of another stream.
// rejected-by: correctness.the largest sum is found after all sums, in every schedule
// because: 'largest' is wrong in
#include "dynamic_parallelism.h"

#define largest_row right_largest_row
#define largest_row_kernel right_largest_row_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef largest_row
#undef largest_row_kernel

__global__ void largest_row_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums,
                                   unsigned* largest) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row < rows) sum_one_row(values, offsets, row, sums);
  __syncthreads();
  if (row == 0) find_largest<<<1, kThreads>>>(sums, rows, largest);
}

void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest) {
  if (rows > 0) largest_row_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums, largest);
}
