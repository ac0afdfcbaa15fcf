// Blocks of a cluster that access each other's shared memory.
#include <cooperative_groups.h>

#include "case.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kThreads = 64;

/// The other block's tile is read as soon as the block's own tile is full.
__global__ void __cluster_dims__(2) neighbour_behind_the_blocks_barrier(int* out) {
  __shared__ int tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;  // race: neighbour_behind_the_blocks_barrier
  __syncthreads();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * kThreads + threadIdx.x] = other[threadIdx.x];  // race: neighbour_behind_the_blocks_barrier
  cluster.sync();
}
CASE(neighbour_behind_the_blocks_barrier, race) {
  Device<int> out(2 * kThreads);
  neighbour_behind_the_blocks_barrier<<<2, kThreads>>>(out);
  return done();
}

__global__ void __cluster_dims__(2) neighbour_behind_the_clusters_barrier(int* out) {
  __shared__ int tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * kThreads + threadIdx.x] = other[threadIdx.x];
  cluster.sync();
}
CASE(neighbour_behind_the_clusters_barrier, clean) {
  Device<int> out(2 * kThreads);
  neighbour_behind_the_clusters_barrier<<<2, kThreads>>>(out);
  return done(out.are([](int i) { return 100 * (1 - i / kThreads) + i % kThreads; }));
}

/// Each block stores to the next one's tile, which reads it without a cluster barrier.
__global__ void __cluster_dims__(4) store_to_the_next_block(int* out) {
  __shared__ int tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  int* const next = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % 4);
  next[threadIdx.x] = blockIdx.x;  // race: store_to_the_next_block
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];  // race: store_to_the_next_block
  cluster.sync();
}
CASE(store_to_the_next_block, race) {
  Device<int> out(4 * kThreads);
  store_to_the_next_block<<<4, kThreads>>>(out);
  return done();
}

__global__ void __cluster_dims__(4) store_to_the_next_block_that_waits(int* out) {
  __shared__ int tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int round = 0; round < 3; ++round) {
    cluster.sync();
    cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % 4)[threadIdx.x] = blockIdx.x + round;
    cluster.sync();
    out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];
  }
}
CASE(store_to_the_next_block_that_waits, clean) {
  Device<int> out(8 * kThreads);
  store_to_the_next_block_that_waits<<<8, kThreads>>>(out);
  return done(out.are([](int i) { return i / kThreads / 4 * 4 + (i / kThreads + 3) % 4 + 2; }));
}

/// A histogram in the first block's memory, updated by all blocks with plain additions.
__global__ void __cluster_dims__(2) plain_sums_in_the_first_block(int* out) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sum, 0) += blockIdx.x + 1;  // race: plain_sums_in_the_first_block
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
CASE(plain_sums_in_the_first_block, race) {
  Device<int> out(2);
  plain_sums_in_the_first_block<<<2, kThreads>>>(out);
  return done();
}

__global__ void __cluster_dims__(2) atomic_sums_in_the_first_block(int* out) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), int(blockIdx.x) + 1);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
CASE(atomic_sums_in_the_first_block, clean) {
  Device<int> out(2);
  atomic_sums_in_the_first_block<<<2, kThreads>>>(out);
  return done(out.are([](int i) { return i == 0 ? kThreads * 3 : 0; }));
}

/// The other block's tile is read while that block may already be in the next round.
__global__ void __cluster_dims__(2) tile_reused_too_early(int* out) {
  __shared__ int tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = round + threadIdx.x;  // race: tile_reused_too_early
    cluster.sync();
    sum += cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];  // race: tile_reused_too_early
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
  cluster.sync();
}
CASE(tile_reused_too_early, race) {
  Device<int> out(2 * kThreads);
  tile_reused_too_early<<<2, kThreads>>>(out);
  return done();
}

/// Adjacent elements that belong to different blocks.
__global__ void __cluster_dims__(2) halves_of_the_first_block(int* out) {
  __shared__ int tile[2 * kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  cluster.map_shared_rank(tile, 0)[cluster.block_rank() * kThreads + threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = tile[threadIdx.x] + tile[kThreads + threadIdx.x];
}
CASE(halves_of_the_first_block, clean) {
  Device<int> out(kThreads);
  halves_of_the_first_block<<<2, kThreads>>>(out);
  return done(out.are([](int i) { return 2 * i; }));
}

/// Each block stores half of its tile, and the other block reads all of it.
__global__ void __cluster_dims__(2) half_of_the_neighbours_tile(int* out, int stored) {
  __shared__ int tile[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < stored) tile[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * kThreads + threadIdx.x] = other[threadIdx.x];  // init: half_of_the_neighbours_tile
  cluster.sync();
}
CASE(half_of_the_neighbours_tile, init) {
  Device<int> out(2 * kThreads);
  half_of_the_neighbours_tile<<<2, kThreads>>>(out, kThreads / 2);
  return done();
}
CASE(all_of_the_neighbours_tile, clean) {
  Device<int> out(2 * kThreads);
  half_of_the_neighbours_tile<<<2, kThreads>>>(out, kThreads);
  return done(out.are([](int i) { return 100 * (1 - i / kThreads) + i % kThreads; }));
}

/// Sums in the first block's memory, which may or may not have been cleared.
__global__ void __cluster_dims__(2) sums_from_anything(int* out, bool clears) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (clears && threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), 1);  // init: sums_from_anything
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) *out = sum;
}
CASE(sums_from_anything, init) {
  Device<int> out(1);
  sums_from_anything<<<2, kThreads>>>(out, false);
  return done();
}
CASE(sums_from_zero, clean) {
  Device<int> out(1);
  sums_from_anything<<<2, kThreads>>>(out, true);
  return done(out.are([](int) { return 2 * kThreads; }));
}

}  // namespace
