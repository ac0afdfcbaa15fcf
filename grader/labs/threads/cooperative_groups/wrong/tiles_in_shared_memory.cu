// Adds up through shared memory with barriers of the whole block.
// rejected-by: counters.tiles need no barrier of the block and no shared memory
// because: barriers of the block for each warp
#include "cooperative_groups.h"

#define sum_tiles right_sum_tiles
#define sum_tiles_kernel right_sum_tiles_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_tiles
#undef sum_tiles_kernel

__global__ void sum_tiles_kernel(const int* in, int* out, int count, int size) {
  __shared__ int sums[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads();
  for (int step = size / 2; step > 0; step /= 2) {
    if (threadIdx.x % size < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x % size == 0 && i < count) out[i / size] = sums[threadIdx.x];
}

void sum_tiles(const int* in, int* out, int count, int size) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) sum_tiles_kernel<<<blocks, kThreads>>>(in, out, count, size);
}
