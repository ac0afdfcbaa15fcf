// Block 0 adds up the partial sums without waiting for the other blocks.
// rejected-by: correctness.the grid sums every number of elements
// because: out
#include "cooperative_groups.h"

#define sum_grid right_sum_grid
#define sum_grid_kernel right_sum_grid_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_grid
#undef sum_grid_kernel

__global__ void sum_grid_kernel(const int* in, long long* partial, long long* out, int count) {
  const cg::grid_group grid = cg::this_grid();
  long long sum = 0;
  for (long long i = grid.thread_rank(); i < count; i += grid.num_threads()) sum += in[i];
  sum = sum_block(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  if (blockIdx.x != 0) return;
  sum = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partial[b];
  sum = sum_block(sum);
  if (threadIdx.x == 0) *out = sum;
}

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  void* arguments[] = {&in, &partial, &out, &count};
  launch_together(reinterpret_cast<void*>(sum_grid_kernel), (count + kThreads - 1) / kThreads, arguments);
}
