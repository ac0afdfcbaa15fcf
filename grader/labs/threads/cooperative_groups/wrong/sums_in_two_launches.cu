// The partial sums are added up by a second launch.
// rejected-by: counters.the grid sums in one launch with one barrier of the grid
// because: kernel launches
#include "cooperative_groups.h"

#define sum_grid right_sum_grid
#define sum_grid_kernel right_sum_grid_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_grid
#undef sum_grid_kernel

template <class T>
__global__ void sum_kernel(const T* in, long long* out, int count) {
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  sum = sum_block(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  const int blocks = std::clamp((count + kThreads - 1) / kThreads, 1, 1056);
  sum_kernel<<<blocks, kThreads>>>(in, partial, count);
  sum_kernel<<<1, kThreads>>>(partial, out, blocks);
}
