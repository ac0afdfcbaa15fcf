// Each block writes its sums to the front of `out`: the rank of a tile is one within its block.
// rejected-by: correctness.tiles of every size sum their elements
// because: as many as one block writes. Does the index use blockIdx
#include "cooperative_groups.h"

#define sum_tiles right_sum_tiles
#define sum_tiles_kernel right_sum_tiles_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_tiles
#undef sum_tiles_kernel

template <int Size>
__global__ void sum_tiles_kernel(const int* in, int* out, int count) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = cg::reduce(tile, i < count ? in[i] : 0, cg::plus<int>());
  if (tile.thread_rank() == 0 && i < count) out[tile.meta_group_rank()] = sum;
}

void sum_tiles(const int* in, int* out, int count, int size) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks == 0) return;
  if (size == 2) sum_tiles_kernel<2><<<blocks, kThreads>>>(in, out, count);
  if (size == 4) sum_tiles_kernel<4><<<blocks, kThreads>>>(in, out, count);
  if (size == 8) sum_tiles_kernel<8><<<blocks, kThreads>>>(in, out, count);
  if (size == 16) sum_tiles_kernel<16><<<blocks, kThreads>>>(in, out, count);
  if (size == 32) sum_tiles_kernel<32><<<blocks, kThreads>>>(in, out, count);
}
