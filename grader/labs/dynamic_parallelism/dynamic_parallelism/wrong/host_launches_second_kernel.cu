// The host launches find_largest behind the parent: right, but not what a library without a host behind it can do.
// rejected-by: counters.one launch by the host and one tail launch find the largest sum
// because: Too many kernel launches by the host: 2; at most 1
#include "dynamic_parallelism.h"

#define largest_row right_largest_row
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef largest_row

void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest) {
  if (rows == 0) return;
  sum_rows_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums);
  find_largest<<<1, kThreads>>>(sums, rows, largest);
}
