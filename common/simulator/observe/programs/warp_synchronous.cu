// Lanes of a warp that exchange values through memory: __syncwarp orders them, lock step, shuffles and votes do not.
#include "case.h"

namespace {

constexpr unsigned kAll = 0xffffffff;

__global__ void neighbour_without_syncwarp(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 5 * threadIdx.x;       // race: neighbour_without_syncwarp
  out[threadIdx.x] = tile[threadIdx.x ^ 1];  // race: neighbour_without_syncwarp
}
CASE(neighbour_without_syncwarp, race) {
  Device<int> out(32);
  neighbour_without_syncwarp<<<1, 32>>>(out);
  return done();
}

__global__ void neighbour_behind_syncwarp(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 5 * threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
CASE(neighbour_behind_syncwarp, clean) {
  Device<int> out(32);
  neighbour_behind_syncwarp<<<1, 32>>>(out);
  return done(out.are([](int i) { return 5 * (i ^ 1); }));
}

/// Each value moves by one place: the loads precede the stores only if lanes run in lockstep.
__global__ void rotate_without_syncwarp(const int* in, int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  const int next = tile[(threadIdx.x + 1) % 32];  // race: rotate_without_syncwarp
  tile[threadIdx.x] = next + 100;                 // race: rotate_without_syncwarp
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x];
}
CASE(rotate_without_syncwarp, race) {
  Device<int> in(numbers(32)), out(32);
  rotate_without_syncwarp<<<1, 32>>>(in, out);
  return done();
}

__global__ void rotate_with_syncwarp(const int* in, int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  const int next = tile[(threadIdx.x + 1) % 32];
  __syncwarp();
  tile[threadIdx.x] = next + 100;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 31];
}
CASE(rotate_with_syncwarp, clean) {
  Device<int> in(numbers(32)), out(32);
  rotate_with_syncwarp<<<1, 32>>>(in, out);
  return done(out.are([](int i) { return ((i ^ 31) + 1) % 32 + 100; }));
}

/// The last steps of a reduction, as written before warps could diverge at any instruction.
__global__ void reduction_tail_without_syncwarp(const int* in, int* out) {
  __shared__ int sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
#pragma unroll 1
    for (int width = 32; width > 0; width /= 2)
      sums[threadIdx.x] += sums[threadIdx.x + width];  // race: reduction_tail_without_syncwarp
    if (threadIdx.x == 0) *out = sums[0];
  }
}
CASE(reduction_tail_without_syncwarp, race) {
  Device<int> in(numbers(64)), out(1);
  reduction_tail_without_syncwarp<<<1, 64>>>(in, out);
  return done();
}

/// The same with volatile, which does not synchronise, and with __syncwarp(), which does.
__global__ void volatile_reduction_tail_with_syncwarp(const int* in, int* out) {
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    int sum = sums[threadIdx.x];
    for (int width = 32; width > 0; width /= 2) {
      sum += sums[threadIdx.x + width];
      __syncwarp();
      sums[threadIdx.x] = sum;
      __syncwarp();
    }
    if (threadIdx.x == 0) *out = sum;
  }
}
CASE(volatile_reduction_tail_with_syncwarp, clean) {
  Device<int> in(numbers(64)), out(1);
  volatile_reduction_tail_with_syncwarp<<<1, 64>>>(in, out);
  return done(out.are([](int) { return 64 * 63 / 2; }));
}

/// A shuffle synchronises all lanes but orders no memory.
__global__ void shuffle_taken_for_a_barrier(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 5 * threadIdx.x;  // race: shuffle_taken_for_a_barrier
  const int first = __shfl_sync(kAll, threadIdx.x + 7, 0);
  out[threadIdx.x] = first + tile[31 - threadIdx.x];  // race: shuffle_taken_for_a_barrier
}
CASE(shuffle_taken_for_a_barrier, race) {
  Device<int> out(32);
  shuffle_taken_for_a_barrier<<<1, 32>>>(out);
  return done();
}

__global__ void vote_taken_for_a_barrier(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 5 * threadIdx.x;  // race: vote_taken_for_a_barrier
  const unsigned odd = __ballot_sync(kAll, out[threadIdx.x] % 2);
  out[threadIdx.x] = __popc(odd) + tile[31 - threadIdx.x];  // race: vote_taken_for_a_barrier
}
CASE(vote_taken_for_a_barrier, race) {
  Device<int> out(32, 1);
  vote_taken_for_a_barrier<<<1, 32>>>(out);
  return done();
}

__global__ void shuffle_and_syncwarp(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 5 * threadIdx.x;
  const int first = __shfl_sync(kAll, threadIdx.x + 7, 0);
  __syncwarp();
  out[threadIdx.x] = first + tile[31 - threadIdx.x];
}
CASE(shuffle_and_syncwarp, clean) {
  Device<int> out(32);
  shuffle_and_syncwarp<<<1, 32>>>(out);
  return done(out.are([](int i) { return 7 + 5 * (31 - i); }));
}

/// No memory is shared: registers go from lane to lane.
__global__ void shuffled_sum(const int* in, int* out) {
  int sum = in[blockIdx.x * 32 + threadIdx.x];
  for (int width = 16; width > 0; width /= 2) sum += __shfl_down_sync(kAll, sum, width);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
CASE(shuffled_sum, clean) {
  Device<int> in(numbers(128)), out(4);
  shuffled_sum<<<4, 32>>>(in, out);
  return done(out.are([](int i) { return 32 * 32 * i + 31 * 16; }));
}

/// Each half of the warp uses only its own values.
__global__ void halves_with_their_own_masks(int* out) {
  __shared__ int tile[32];
  const int half = threadIdx.x / 16;
  const unsigned mask = half ? 0xffff0000 : 0x0000ffff;
  tile[threadIdx.x] = 5 * threadIdx.x;
  __syncwarp(mask);
  out[threadIdx.x] = tile[threadIdx.x ^ 15];
}
CASE(halves_with_their_own_masks, clean) {
  Device<int> out(32);
  halves_with_their_own_masks<<<1, 32>>>(out);
  return done(out.are([](int i) { return 5 * (i ^ 15); }));
}

/// Each half waits for itself and reads the other's values.
__global__ void halves_read_each_other(int* out) {
  __shared__ int tile[32];
  const int half = threadIdx.x / 16;
  const unsigned mask = half ? 0xffff0000 : 0x0000ffff;
  tile[threadIdx.x] = 5 * threadIdx.x;  // race: halves_read_each_other
  __syncwarp(mask);
  out[threadIdx.x] = tile[threadIdx.x ^ 16];  // race: halves_read_each_other
}
CASE(halves_read_each_other, race) {
  Device<int> out(32);
  halves_read_each_other<<<1, 32>>>(out);
  return done();
}

__global__ void store_in_a_branch_then_syncwarp(int* out) {
  __shared__ int tile[16];
  if (threadIdx.x % 2 == 0) tile[threadIdx.x / 2] = 5 * threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x % 16];
}
CASE(store_in_a_branch_then_syncwarp, clean) {
  Device<int> out(32);
  store_in_a_branch_then_syncwarp<<<1, 32>>>(out);
  return done(out.are([](int i) { return 10 * (i % 16); }));
}

/// The end of the branch does not mean that all lanes have left it.
__global__ void store_in_a_branch_then_nothing(int* out) {
  __shared__ int tile[16];
  if (threadIdx.x % 2 == 0) tile[threadIdx.x / 2] = 5 * threadIdx.x;  // race: store_in_a_branch_then_nothing
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 16];                    // race: store_in_a_branch_then_nothing
}
CASE(store_in_a_branch_then_nothing, race) {
  Device<int> out(32);
  store_in_a_branch_then_nothing<<<1, 32>>>(out);
  return done();
}

/// Two branches of one warp are as unordered as two warps.
__global__ void branch_reads_what_the_other_stores(int value, int* out) {
  __shared__ int slot;
  if (threadIdx.x < 16) {
    if (threadIdx.x == 3) slot = value;  // race: branch_reads_what_the_other_stores
  } else {
    out[threadIdx.x - 16] = slot;  // race: branch_reads_what_the_other_stores
  }
}
CASE(branch_reads_what_the_other_stores, race) {
  Device<int> out(16);
  branch_reads_what_the_other_stores<<<1, 32>>>(77, out);
  return done();
}

/// __syncwarp is for one warp; the values come from another.
__global__ void syncwarp_between_warps(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 5 * threadIdx.x;  // race: syncwarp_between_warps
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 32];  // race: syncwarp_between_warps
}
CASE(syncwarp_between_warps, race) {
  Device<int> out(64);
  syncwarp_between_warps<<<1, 64>>>(out);
  return done();
}

/// One atomic for all lanes with the same key; the leader passes its place to the others.
__global__ void atomics_put_together(const int* keys, int* counts, int* places) {
  const int key = keys[threadIdx.x];
  const unsigned mates = __match_any_sync(kAll, key);
  const int leader = __ffs(mates) - 1, lane = threadIdx.x;
  int first = 0;
  if (lane == leader) first = atomicAdd(&counts[key], __popc(mates));
  first = __shfl_sync(mates, first, leader);
  places[key * 8 + first + __popc(mates & ((1u << lane) - 1))] = lane;
}
CASE(atomics_put_together, clean) {
  std::vector<int> keys(32);
  for (int i = 0; i < 32; ++i) keys[i] = i % 4;
  Device<int> device_keys(keys), counts(4, 0), places(32, -1);
  atomics_put_together<<<1, 32>>>(device_keys, counts, places);
  return done(counts.are([](int) { return 8; }) && places.are([](int i) { return i % 8 * 4 + i / 8; }));
}

/// Global memory is no different: lanes exchange values through it.
__global__ void global_exchange_without_syncwarp(int* row, int* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  row[i] = 5 * i;       // race: global_exchange_without_syncwarp
  out[i] = row[i ^ 4];  // race: global_exchange_without_syncwarp
}
CASE(global_exchange_without_syncwarp, race) {
  Device<int> row(64), out(64);
  global_exchange_without_syncwarp<<<2, 32>>>(row, out);
  return done();
}

__global__ void global_exchange_with_syncwarp(int* row, int* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  row[i] = 5 * i;
  __syncwarp();
  out[i] = row[i ^ 4];
}
CASE(global_exchange_with_syncwarp, clean) {
  Device<int> row(64), out(64);
  global_exchange_with_syncwarp<<<2, 32>>>(row, out);
  return done(out.are([](int i) { return 5 * (i ^ 4); }));
}

}  // namespace
