// Cooperative groups: tiles, the block and the grid synchronise their own threads and no others.
#include <cooperative_groups.h>

#include <type_traits>

#include "case.h"

namespace {

namespace cg = cooperative_groups;
constexpr int kThreads = 64, kBlocks = 4, kCount = kThreads * kBlocks;

template <class... Arguments>
void launch_together(void (*kernel)(Arguments...), std::common_type_t<Arguments>... arguments) {
  void* pointers[] = {&arguments...};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), kBlocks, kThreads, pointers, 0, nullptr);
}

__global__ void tile_syncs(int* out) {
  __shared__ int values[kThreads];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  values[threadIdx.x] = 5 * threadIdx.x;
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 15];
}
CASE(tile_syncs, clean) {
  Device<int> out(kThreads);
  tile_syncs<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return 5 * (i ^ 15); }));
}

__global__ void tile_reads_another_tile(int* out) {
  __shared__ int values[kThreads];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  values[threadIdx.x] = 5 * threadIdx.x;  // race: tile_reads_another_tile
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 16];  // race: tile_reads_another_tile
}
CASE(tile_reads_another_tile, race) {
  Device<int> out(kThreads);
  tile_reads_another_tile<<<1, kThreads>>>(out);
  return done();
}

/// A shuffle within a tile does not synchronise the tile.
__global__ void tile_shuffles_only(int* out) {
  __shared__ int values[kThreads];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  values[threadIdx.x] = 5 * threadIdx.x;  // race: tile_shuffles_only
  const int first = tile.shfl(static_cast<int>(threadIdx.x), 0);
  out[threadIdx.x] = first + values[threadIdx.x ^ 7];  // race: tile_shuffles_only
}
CASE(tile_shuffles_only, race) {
  Device<int> out(kThreads);
  tile_shuffles_only<<<1, kThreads>>>(out);
  return done();
}

__global__ void part_of_a_warp_syncs(int* out) {
  __shared__ int values[32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const cg::coalesced_group group = cg::binary_partition(warp, threadIdx.x % 3 == 0);
  if (threadIdx.x % 3 == 0) {
    values[group.thread_rank()] = threadIdx.x;
    group.sync();
    out[threadIdx.x / 3] = values[group.size() - 1 - group.thread_rank()];
  }
}
CASE(part_of_a_warp_syncs, clean) {
  Device<int> out(11);
  part_of_a_warp_syncs<<<1, 32>>>(out);
  return done(out.are([](int i) { return 30 - 3 * i; }));
}

__global__ void grid_syncs(int* values, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  values[i] = 7 * i;
  grid.sync();
  out[i] = values[kCount - 1 - i];
}
CASE(grid_syncs, clean) {
  Device<int> values(kCount), out(kCount);
  launch_together(grid_syncs, values, out);
  return done(out.are([](int i) { return 7 * (kCount - 1 - i); }));
}

__global__ void block_syncs_for_the_grid(int* values, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  values[i] = 7 * i;  // race: block_syncs_for_the_grid
  cg::this_thread_block().sync();
  out[i] = values[kCount - 1 - i];  // race: block_syncs_for_the_grid
}
CASE(block_syncs_for_the_grid, race) {
  Device<int> values(kCount, 0), out(kCount);
  launch_together(block_syncs_for_the_grid, values, out);
  return done();
}

__global__ void grid_syncs_in_rounds(int* values, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    const int next = values[(i + kThreads) % kCount];
    grid.sync();
    values[i] = next + 1;
    grid.sync();
  }
}
CASE(grid_syncs_in_rounds, clean) {
  Device<int> values(numbers(kCount));
  launch_together(grid_syncs_in_rounds, values, 3);
  return done(values.are([](int i) { return (i + 3 * kThreads) % kCount + 3; }));
}

/// One of the two barriers is missing: a block may be one round ahead.
__global__ void grid_syncs_once_a_round(int* values, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const int next = values[(i + kThreads) % kCount];  // race: grid_syncs_once_a_round
    grid.sync();
    values[i] = next + 1;  // race: grid_syncs_once_a_round
  }
}
CASE(grid_syncs_once_a_round, race) {
  Device<int> values(numbers(kCount));
  launch_together(grid_syncs_once_a_round, values, 3);
  return done();
}

/// The block, and its warps as tiles.
__global__ void block_syncs(const int* in, int* out) {
  extern __shared__ int tile[];
  const cg::thread_block block = cg::this_thread_block();
  tile[block.thread_rank()] = in[block.thread_rank()];
  block.sync();
  const auto warp = cg::tiled_partition<32>(block);
  int sum = tile[kThreads - 1 - block.thread_rank()];
  for (int width = 16; width > 0; width /= 2) sum += warp.shfl_down(sum, width);
  if (warp.thread_rank() == 0) out[warp.meta_group_rank()] = sum;
}
CASE(block_syncs, clean) {
  Device<int> in(numbers(kThreads)), out(2);
  block_syncs<<<1, kThreads, kThreads * sizeof(int)>>>(in, out);
  return done(out.are([](int i) { return i == 0 ? 496 + 32 * 32 : 496; }));
}

}  // namespace
