// A cheat: the host copies the offsets back and launches a kernel for each long row itself.
// rejected-by: counters.long rows get a child, and only they
// because: copied data to the host
#include "dynamic_parallelism.h"

#define sum_rows right_sum_rows
#define sum_rows_kernel right_sum_rows_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef sum_rows
#undef sum_rows_kernel

#include <vector>

__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  const int begin = offsets[row], end = offsets[row + 1];
  if (end - begin > kLongRow) return;
  unsigned sum = 0;
  for (int i = begin; i < end; ++i) sum += values[i];
  sums[row] = sum;
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows <= 0) return;
  sum_rows_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums);
  std::vector<int> at(rows + 1);
  cudaMemcpy(at.data(), offsets, at.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int row = 0; row < rows; ++row)
    if (at[row + 1] - at[row] > kLongRow) sum_long_row<<<1, kThreads>>>(values, at[row], at[row + 1], sums + row);
}
