// Named barriers with a thread count, as inline PTX: groups of warps, producers that arrive, consumers that
// wait.
#include "case.h"

namespace {

constexpr int kThreads = 128, kHalf = 64, kRounds = 4;
constexpr int kFull = 1, kEmpty = 2;

__device__ void wait_at(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void arrive_at(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void two_groups_with_own_barriers(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int group = threadIdx.x / kHalf;
  tile[threadIdx.x] = in[threadIdx.x];
  wait_at(1 + group, kHalf);
  out[threadIdx.x] = tile[group * kHalf + (threadIdx.x + 32) % kHalf];
}
CASE(two_groups_with_own_barriers, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  two_groups_with_own_barriers<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return i / kHalf * kHalf + (i + 32) % kHalf; }));
}

/// Each group waits only for itself.
__global__ void group_reads_the_other_groups_half(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];  // race: group_reads_the_other_groups_half
  wait_at(1 + threadIdx.x / kHalf, kHalf);
  out[threadIdx.x] = tile[(threadIdx.x + kHalf) % kThreads];  // race: group_reads_the_other_groups_half
}
CASE(group_reads_the_other_groups_half, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  group_reads_the_other_groups_half<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void producers_arrive_consumers_wait(const int* in, int* out) {
  __shared__ int tile[kHalf];
  if (threadIdx.x < kHalf) {
    tile[threadIdx.x] = in[threadIdx.x];
    arrive_at(kFull, kThreads);
  } else {
    wait_at(kFull, kThreads);
    out[threadIdx.x - kHalf] = tile[kThreads - 1 - threadIdx.x];
  }
}
CASE(producers_arrive_consumers_wait, clean) {
  Device<int> in(numbers(kHalf)), out(kHalf);
  producers_arrive_consumers_wait<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return kHalf - 1 - i; }));
}

/// Threads that only arrive do not wait for the others.
__global__ void consumers_arrive_producers_wait(const int* in, int* out) {
  __shared__ int tile[kHalf];
  if (threadIdx.x < kHalf) {
    tile[threadIdx.x] = in[threadIdx.x];  // race: consumers_arrive_producers_wait
    wait_at(kFull, kThreads);
  } else {
    arrive_at(kFull, kThreads);
    out[threadIdx.x - kHalf] = tile[kThreads - 1 - threadIdx.x];  // race: consumers_arrive_producers_wait
  }
}
CASE(consumers_arrive_producers_wait, race) {
  Device<int> in(numbers(kHalf)), out(kHalf);
  consumers_arrive_producers_wait<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void slot_with_full_and_empty(const int* in, int* out) {
  __shared__ int slot[kHalf];
  if (threadIdx.x < kHalf) {
    for (int round = 0; round < kRounds; ++round) {
      if (round > 0) wait_at(kEmpty, kThreads);
      slot[threadIdx.x] = in[round * kHalf + threadIdx.x];
      arrive_at(kFull, kThreads);
    }
  } else {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) {
      wait_at(kFull, kThreads);
      sum += slot[kThreads - 1 - threadIdx.x];
      if (round + 1 < kRounds) arrive_at(kEmpty, kThreads);
    }
    out[threadIdx.x - kHalf] = sum;
  }
}
CASE(slot_with_full_and_empty, clean) {
  Device<int> in(numbers(kRounds * kHalf)), out(kHalf);
  slot_with_full_and_empty<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 4 * (kHalf - 1 - i) + 6 * kHalf; }));
}

/// Nothing tells when the slot has been read.
__global__ void slot_without_empty(const int* in, int* out) {
  __shared__ int slot[kHalf];
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x < kHalf) {
      slot[threadIdx.x] = in[round * kHalf + threadIdx.x];  // race: slot_without_empty
      wait_at(kFull, kThreads);
    } else {
      wait_at(kFull, kThreads);
      sum += slot[kThreads - 1 - threadIdx.x];  // race: slot_without_empty
    }
  }
  if (threadIdx.x >= kHalf) out[threadIdx.x - kHalf] = sum;
}
CASE(slot_without_empty, race) {
  Device<int> in(numbers(kRounds * kHalf)), out(kHalf);
  slot_without_empty<<<1, kThreads>>>(in, out);
  return done();
}

/// Iterations alternate between two barriers and two halves of the tile.
__global__ void two_stages_with_alternating_barriers(const int* in, int* out) {
  __shared__ int stage[2][kThreads];
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    stage[round % 2][threadIdx.x] = in[round * kThreads + threadIdx.x];
    wait_at(4 + round % 2, kThreads);
    sum += stage[round % 2][threadIdx.x ^ 64];
  }
  out[threadIdx.x] = sum;
}
CASE(two_stages_with_alternating_barriers, clean) {
  Device<int> in(numbers(kRounds * kThreads)), out(kThreads);
  two_stages_with_alternating_barriers<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 4 * (i ^ 64) + 6 * kThreads; }));
}

/// The last warp has other work: 96 threads synchronise, in the newer syntax.
__global__ void three_of_four_warps_meet(const int* in, int* out) {
  __shared__ int tile[96];
  if (threadIdx.x >= 96) {
    out[threadIdx.x] = -1;
    return;
  }
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("barrier.cta.sync 3, 96;" ::: "memory");
  out[threadIdx.x] = tile[95 - threadIdx.x];
}
CASE(three_of_four_warps_meet, clean) {
  Device<int> in(numbers(96)), out(kThreads);
  three_of_four_warps_meet<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return i < 96 ? 95 - i : -1; }));
}

/// The same, but the last warp reads what the three have stored.
__global__ void fourth_warp_reads_unasked(const int* in, int* out) {
  __shared__ int tile[96];
  if (threadIdx.x < 96) {
    tile[threadIdx.x] = in[threadIdx.x];  // race: fourth_warp_reads_unasked
    asm volatile("barrier.cta.sync 3, 96;" ::: "memory");
    out[threadIdx.x] = tile[95 - threadIdx.x];
  } else {
    out[threadIdx.x] = tile[threadIdx.x - 96];  // race: fourth_warp_reads_unasked
  }
}
CASE(fourth_warp_reads_unasked, race) {
  Device<int> in(numbers(96)), out(kThreads);
  fourth_warp_reads_unasked<<<1, kThreads>>>(in, out);
  return done();
}

/// A barrier that counts predicates orders memory like any other.
__global__ void group_counts_at_its_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int group = threadIdx.x / kHalf;
  tile[threadIdx.x] = in[threadIdx.x];
  unsigned odd;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.cta.red.popc.aligned.u32 %0, %2, 64, p; }"
               : "=r"(odd)
               : "r"(threadIdx.x % 2), "r"(1 + group)
               : "memory");
  out[threadIdx.x] = tile[threadIdx.x ^ 32] + static_cast<int>(odd);
}
CASE(group_counts_at_its_barrier, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  group_counts_at_its_barrier<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return (i ^ 32) + kHalf / 2; }));
}

/// The barrier expects 128 threads, 64 arrive, and the others wait elsewhere.
__global__ void count_of_too_many(int* out) {
  out[threadIdx.x] = 0;
  if (threadIdx.x < kHalf) asm volatile("bar.sync 1, 128;" ::: "memory");  // sync: count_of_too_many
  __syncthreads();                                                         // sync: count_of_too_many
  out[threadIdx.x] = 1;
}
CASE(count_of_too_many, sync_hang) {
  Device<int> out(kThreads);
  count_of_too_many<<<1, kThreads>>>(out);
  return done();
}

/// The halves wait for each other, at different barriers.
__global__ void two_numbers_for_one_meeting(int* out) {
  out[threadIdx.x] = 0;
  if (threadIdx.x < kHalf)
    asm volatile("bar.sync 1, 128;" ::: "memory");  // sync: two_numbers_for_one_meeting
  else
    asm volatile("bar.sync 2, 128;" ::: "memory");  // sync: two_numbers_for_one_meeting
  out[threadIdx.x] = 1;
}
CASE(two_numbers_for_one_meeting, sync_hang) {
  Device<int> out(kThreads);
  two_numbers_for_one_meeting<<<1, kThreads>>>(out);
  return done();
}

/// The counts of both barriers are right, but no warp is at one of them as a whole.
__global__ void halves_of_warps_at_two_numbers(int* out) {
  if (threadIdx.x % 32 < 16)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // sync: halves_of_warps_at_two_numbers
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");  // sync: halves_of_warps_at_two_numbers
  out[threadIdx.x] = 1;
}
CASE(halves_of_warps_at_two_numbers, sync_hang) {
  Device<int> out(kThreads);
  halves_of_warps_at_two_numbers<<<1, kThreads>>>(out);
  return done();
}

/// The other half of each warp goes past the barrier, which opens all the same: four halves are 64 threads.
__global__ void barrier_for_half_of_each_warp(int* out) {
  if (threadIdx.x % 32 < 16) asm volatile("bar.sync 1, 64;" ::: "memory");  // sync: barrier_for_half_of_each_warp
  out[threadIdx.x] = 1;
}
CASE(barrier_for_half_of_each_warp, sync_hang) {
  Device<int> out(kThreads);
  barrier_for_half_of_each_warp<<<1, kThreads>>>(out);
  return done();
}

__global__ void half_a_warp_arrives(int* out) {
  if (threadIdx.x % 32 < 16)
    asm volatile("bar.arrive 1, 128;" ::: "memory");  // sync: half_a_warp_arrives
  else
    asm volatile("bar.sync 1, 128;" ::: "memory");  // sync: half_a_warp_arrives
  out[threadIdx.x] = 1;
}
CASE(half_a_warp_arrives, sync_hang) {
  Device<int> out(kThreads);
  half_a_warp_arrives<<<1, kThreads>>>(out);
  return done();
}

/// barrier.sync without .aligned allows lanes to arrive on different paths.
__global__ void halves_of_warps_at_two_places(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    asm volatile("barrier.sync 1, 128;" ::: "memory");
    out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
  } else {
    asm volatile("barrier.sync 1, 128;" ::: "memory");
    out[threadIdx.x] = 2 * tile[kThreads - 1 - threadIdx.x];
  }
}
CASE(halves_of_warps_at_two_places, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  halves_of_warps_at_two_places<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return (i % 32 < 16 ? 1 : 2) * (kThreads - 1 - i); }));
}

/// The same with .aligned, which requires whole warps.
__global__ void halves_of_warps_aligned(int* out) {
  if (threadIdx.x % 32 < 16)
    asm volatile("barrier.sync.aligned 1, 128;" ::: "memory");  // sync: halves_of_warps_aligned
  else
    asm volatile("barrier.sync.aligned 1, 128;" ::: "memory");  // sync: halves_of_warps_aligned
  out[threadIdx.x] = 1;
}
CASE(halves_of_warps_aligned, sync_hang) {
  Device<int> out(kThreads);
  halves_of_warps_aligned<<<1, kThreads>>>(out);
  return done();
}

}  // namespace
