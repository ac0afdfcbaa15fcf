// Barriers of a block: where one is missing between a store and a load of shared memory, and where it is in place.
#include "case.h"

namespace {

constexpr int kThreads = 128, kRounds = 4;

__global__ void tile_read_without_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];                  // race: tile_read_without_barrier
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // race: tile_read_without_barrier
}
CASE(tile_read_without_barrier, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  tile_read_without_barrier<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void tile_read_behind_a_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(tile_read_behind_a_barrier, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  tile_read_behind_a_barrier<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return kThreads - 1 - i; }));
}

__global__ void barrier_before_the_store(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int value = in[threadIdx.x];
  __syncthreads();
  tile[threadIdx.x] = value;                               // race: barrier_before_the_store
  out[threadIdx.x] = tile[(threadIdx.x + 32) % kThreads];  // race: barrier_before_the_store
}
CASE(barrier_before_the_store, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  barrier_before_the_store<<<2, kThreads>>>(in, out);
  return done();
}

/// The next iteration's store overtakes this iteration's load.
__global__ void loop_with_one_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    tile[threadIdx.x] = in[round * kThreads + threadIdx.x];  // race: loop_with_one_barrier
    __syncthreads();
    sum += tile[(threadIdx.x + 40) % kThreads];  // race: loop_with_one_barrier
  }
  out[threadIdx.x] = sum;
}
CASE(loop_with_one_barrier, race) {
  Device<int> in(numbers(kRounds * kThreads)), out(kThreads);
  loop_with_one_barrier<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void loop_with_two_barriers(const int* in, int* out) {
  __shared__ int tile[kThreads];
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    tile[threadIdx.x] = in[round * kThreads + threadIdx.x];
    __syncthreads();
    sum += tile[(threadIdx.x + 40) % kThreads];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
CASE(loop_with_two_barriers, clean) {
  Device<int> in(numbers(kRounds * kThreads)), out(kThreads);
  loop_with_two_barriers<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 4 * ((i + 40) % kThreads) + 6 * kThreads; }));
}

/// Two buffers, used alternately: one barrier per iteration is enough.
__global__ void double_buffer(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    tile[round % 2][threadIdx.x] = in[round * kThreads + threadIdx.x];
    __syncthreads();
    sum += tile[round % 2][(threadIdx.x + 40) % kThreads];
  }
  out[threadIdx.x] = sum;
}
CASE(double_buffer, clean) {
  Device<int> in(numbers(kRounds * kThreads)), out(kThreads);
  double_buffer<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 4 * ((i + 40) % kThreads) + 6 * kThreads; }));
}

/// The load of one iteration and the store of the next use the same buffer.
__global__ void double_buffer_one_round_late(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  tile[0][threadIdx.x] = in[threadIdx.x];
  tile[1][threadIdx.x] = 0;
  int sum = 0;
  for (int round = 1; round <= kRounds; ++round) {
    __syncthreads();
    tile[round % 2][threadIdx.x] = in[round * kThreads + threadIdx.x];  // race: double_buffer_one_round_late
    sum += tile[round % 2][(threadIdx.x + 40) % kThreads];              // race: double_buffer_one_round_late
  }
  out[threadIdx.x] = sum;
}
CASE(double_buffer_one_round_late, race) {
  Device<int> in(numbers((kRounds + 1) * kThreads)), out(kThreads);
  double_buffer_one_round_late<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void prefetch_into_the_other_half(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  tile[0][threadIdx.x] = in[threadIdx.x];
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    __syncthreads();
    tile[(round + 1) % 2][threadIdx.x] = in[(round + 1) * kThreads + threadIdx.x];
    sum += tile[round % 2][(threadIdx.x + 40) % kThreads];
  }
  out[threadIdx.x] = sum;
}
CASE(prefetch_into_the_other_half, clean) {
  Device<int> in(numbers((kRounds + 1) * kThreads)), out(kThreads);
  prefetch_into_the_other_half<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 4 * ((i + 40) % kThreads) + 6 * kThreads; }));
}

__global__ void reduction_without_barrier_in_the_loop(const int* in, int* out) {
  __shared__ int sums[kThreads];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (unsigned width = kThreads / 2; width >= 32; width /= 2)
    if (threadIdx.x < width)
      sums[threadIdx.x] += sums[threadIdx.x + width];  // race: reduction_without_barrier_in_the_loop
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = sums[threadIdx.x];
}
CASE(reduction_without_barrier_in_the_loop, race) {
  Device<int> in(numbers(kThreads)), out(32);
  reduction_without_barrier_in_the_loop<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void reduction_with_barriers(const int* in, int* out) {
  __shared__ int sums[kThreads];
  sums[threadIdx.x] = in[threadIdx.x];
  for (unsigned width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) sums[threadIdx.x] += sums[threadIdx.x + width];
  }
  if (threadIdx.x == 0) *out = sums[0];
}
CASE(reduction_with_barriers, clean) {
  Device<int> in(numbers(kThreads)), out(1);
  reduction_with_barriers<<<1, kThreads>>>(in, out);
  return done(out.are([](int) { return kThreads * (kThreads - 1) / 2; }));
}

/// Each step also needs a barrier between the loads and the stores.
__global__ void scan_in_place_with_one_barrier(const int* in, int* out) {
  __shared__ int sums[kThreads];
  sums[threadIdx.x] = in[threadIdx.x];
#pragma unroll 1
  for (unsigned step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    if (threadIdx.x >= step) sums[threadIdx.x] += sums[threadIdx.x - step];  // race: scan_in_place_with_one_barrier
  }
  out[threadIdx.x] = sums[threadIdx.x];
}
CASE(scan_in_place_with_one_barrier, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  scan_in_place_with_one_barrier<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void scan_in_place_with_two_barriers(const int* in, int* out) {
  __shared__ int sums[kThreads];
  sums[threadIdx.x] = in[threadIdx.x];
  for (unsigned step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  out[threadIdx.x] = sums[threadIdx.x];
}
CASE(scan_in_place_with_two_barriers, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  scan_in_place_with_two_barriers<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return i * (i + 1) / 2; }));
}

/// The slot is overwritten while some threads may not have read it.
__global__ void broadcast_slot_used_again(const int* in, int* out) {
  __shared__ int slot;
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x == 0) slot = in[round];  // race: broadcast_slot_used_again
    __syncthreads();
    sum += slot;  // race: broadcast_slot_used_again
  }
  out[threadIdx.x] = sum;
}
CASE(broadcast_slot_used_again, race) {
  Device<int> in(numbers(kRounds)), out(kThreads);
  broadcast_slot_used_again<<<1, kThreads>>>(in, out);
  return done();
}

/// Its loads come after a barrier that also counts.
__global__ void broadcast_slots_with_counting_barriers(const int* in, int* out) {
  __shared__ int slot;
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x == 0) slot = in[round];
    const int odd = __syncthreads_count(threadIdx.x % 2);
    sum += slot + odd;
    if (__syncthreads_or(sum < 0)) return;
  }
  out[threadIdx.x] = sum;
}
CASE(broadcast_slots_with_counting_barriers, clean) {
  Device<int> in(numbers(kRounds)), out(kThreads);
  broadcast_slots_with_counting_barriers<<<1, kThreads>>>(in, out);
  return done(out.are([](int) { return 6 + kRounds * kThreads / 2; }));
}

/// A barrier orders global memory for the block, too.
__global__ void global_row_without_barrier(int* row, int* out) {
  const int first = blockIdx.x * kThreads;
  row[first + threadIdx.x] = 3 * threadIdx.x;                            // race: global_row_without_barrier
  out[first + threadIdx.x] = row[first + (threadIdx.x + 1) % kThreads];  // race: global_row_without_barrier
}
CASE(global_row_without_barrier, race) {
  Device<int> row(2 * kThreads), out(2 * kThreads);
  global_row_without_barrier<<<2, kThreads>>>(row, out);
  return done();
}

__global__ void global_row_behind_a_barrier(int* row, int* out) {
  const int first = blockIdx.x * kThreads;
  row[first + threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  out[first + threadIdx.x] = row[first + (threadIdx.x + 1) % kThreads];
}
CASE(global_row_behind_a_barrier, clean) {
  Device<int> row(2 * kThreads), out(2 * kThreads);
  global_row_behind_a_barrier<<<2, kThreads>>>(row, out);
  return done(out.are([](int i) { return 3 * ((i + 1) % kThreads); }));
}

}  // namespace
