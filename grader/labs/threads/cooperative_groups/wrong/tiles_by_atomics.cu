// A cheat: no tile passes anything on; every element is added to its sum by an atomic operation.
// rejected-by: counters.tiles need no barrier of the block and no shared memory
// because: The sum of a tile is made in registers
#include "cooperative_groups.h"

#define sum_tiles right_sum_tiles
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_tiles

__global__ void sum_by_atomics(const int* in, int* out, int count, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(out + i / size, in[i]);
}

void sum_tiles(const int* in, int* out, int count, int size) {
  if (count == 0) return;
  WB_CHECK(cudaMemset(out, 0, (count + size - 1) / size * sizeof(int)));
  sum_by_atomics<<<(count + kThreads - 1) / kThreads, kThreads>>>(in, out, count, size);
}
