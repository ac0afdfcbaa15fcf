// Barriers that not all threads reach, masks that do not name the caller, shuffles from lanes that do not take part.
#include "case.h"

namespace {

constexpr int kThreads = 64;
constexpr unsigned kAll = 0xffffffff, kLow = 0x0000ffff;

__global__ void barrier_in_if_and_else(int* out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = 1;
    __syncthreads();  // sync: barrier_in_if_and_else
  } else {
    __syncthreads();  // sync: barrier_in_if_and_else
    out[threadIdx.x] = 2;
  }
}
CASE(barrier_in_if_and_else, sync_hang) {
  Device<int> out(kThreads);
  barrier_in_if_and_else<<<1, kThreads>>>(out);
  return done();
}

/// The number of arrivals is right, and hardware may well continue; but each half of a warp is at a different barrier.
__global__ void count_in_one_half_of_a_warp(int* out) {
  if (threadIdx.x % 32 < 16) {
    out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);  // sync: count_in_one_half_of_a_warp
  } else {
    __syncthreads();  // sync: count_in_one_half_of_a_warp
    out[threadIdx.x] = -1;
  }
}
CASE(count_in_one_half_of_a_warp, sync_hang) {
  Device<int> out(kThreads);
  count_in_one_half_of_a_warp<<<1, kThreads>>>(out);
  return done();
}

__global__ void two_votes_in_one_warp(int* out) {
  if (threadIdx.x % 32 < 16) {
    out[threadIdx.x] = __syncthreads_and(threadIdx.x < 40);  // sync: two_votes_in_one_warp
  } else {
    out[threadIdx.x] = __syncthreads_or(threadIdx.x < 40);  // sync: two_votes_in_one_warp
  }
}
CASE(two_votes_in_one_warp, sync_hang) {
  Device<int> out(kThreads);
  two_votes_in_one_warp<<<1, kThreads>>>(out);
  return done();
}

/// Whole warps, but one only waits while the other one votes.
__global__ void vote_in_one_of_two_warps(int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = __syncthreads_count(threadIdx.x % 2);  // sync: vote_in_one_of_two_warps
  } else {
    __syncthreads();  // sync: vote_in_one_of_two_warps
    out[threadIdx.x] = -1;
  }
}
CASE(vote_in_one_of_two_warps, sync_hang) {
  Device<int> out(kThreads);
  vote_in_one_of_two_warps<<<1, kThreads>>>(out);
  return done();
}

/// One after the other, by all threads.
__global__ void votes_of_the_whole_block(int* out) {
  const bool odd = threadIdx.x % 2 != 0;
  const int count = __syncthreads_count(odd);
  const bool every = __syncthreads_and(odd) != 0, any = __syncthreads_or(odd) != 0;
  __syncthreads();
  out[threadIdx.x] = count + 100 * every + 1000 * any;
}
CASE(votes_of_the_whole_block, clean) {
  Device<int> out(kThreads);
  votes_of_the_whole_block<<<1, kThreads>>>(out);
  return done(out.are([](int) { return 1000 + kThreads / 2; }));
}

/// Warps arrive at the same kind of vote at two places in the program, each warp as a whole.
__global__ void one_vote_at_two_places(int* out) {
  const bool low = threadIdx.x < 32;
  int count;
  if (low)
    count = __syncthreads_count(1);
  else
    count = 2 * __syncthreads_count(0);
  out[threadIdx.x] = count;
}
CASE(one_vote_at_two_places, clean) {
  Device<int> out(kThreads);
  one_vote_at_two_places<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return i < 32 ? 32 : 64; }));
}

/// Some lanes of a warp wait; the others go on to the next barrier.
__global__ void barrier_for_some_lanes(int* out) {
  if (threadIdx.x < 20) {
    out[threadIdx.x] = 1;
    __syncthreads();  // sync: barrier_for_some_lanes
  }
  __syncwarp();  // sync: barrier_for_some_lanes
  if (threadIdx.x >= 20) out[threadIdx.x] = 2;
}
CASE(barrier_for_some_lanes, sync_hang) {
  Device<int> out(kThreads);
  barrier_for_some_lanes<<<1, kThreads>>>(out);
  return done();
}

__global__ void barrier_for_all(int* out) {
  __shared__ int tile[kThreads];
  if (threadIdx.x < 20) tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x >= 20) tile[threadIdx.x] = tile[threadIdx.x % 20] + 1;
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(barrier_for_all, clean) {
  Device<int> out(kThreads);
  barrier_for_all<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return kThreads - 1 - i < 20 ? 1 : 2; }));
}

/// The number of iterations depends on the lane, and lanes that are done wait elsewhere.
__global__ void barrier_in_a_loop_of_unequal_length(int* out) {
  int sum = 0;
#pragma unroll 1
  for (unsigned round = 0; round < 1 + threadIdx.x % 4; ++round) {
    sum += round;
    __syncthreads();  // sync: barrier_in_a_loop_of_unequal_length
  }
  __syncwarp();  // sync: barrier_in_a_loop_of_unequal_length
  out[threadIdx.x] = sum;
}
CASE(barrier_in_a_loop_of_unequal_length, sync_hang) {
  Device<int> out(kThreads);
  barrier_in_a_loop_of_unequal_length<<<1, kThreads>>>(out);
  return done();
}

/// The condition is the same for the whole block.
__global__ void barrier_in_a_uniform_branch(const int* rounds, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int round = 0; round < rounds[blockIdx.x]; ++round) {
    const int next = tile[(threadIdx.x + 1) % kThreads];
    __syncthreads();
    tile[threadIdx.x] = next;
    __syncthreads();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];
}
CASE(barrier_in_a_uniform_branch, clean) {
  Device<int> rounds(numbers(3)), out(3 * kThreads);
  barrier_in_a_uniform_branch<<<3, kThreads>>>(rounds, out);
  return done(out.are([](int i) { return (i % kThreads + i / kThreads) % kThreads; }));
}

/// Barriers do not wait for threads that have exited: whole warps...
__global__ void warps_leave_before_the_barrier(int* out) {
  __shared__ int tile[32];
  if (threadIdx.x >= 32) return;
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
CASE(warps_leave_before_the_barrier, clean) {
  Device<int> out(32);
  warps_leave_before_the_barrier<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return 31 - i; }));
}

/// ...and single lanes.
__global__ void lanes_leave_before_the_barrier(int* out) {
  __shared__ int tile[40];
  if (threadIdx.x >= 40) return;
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[39 - threadIdx.x];
}
CASE(lanes_leave_before_the_barrier, clean) {
  Device<int> out(40);
  lanes_leave_before_the_barrier<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return 39 - i; }));
}

/// All lanes call, but sixteen are named.
__global__ void syncwarp_without_the_caller(int* out) {
  out[threadIdx.x] = threadIdx.x;
  __syncwarp(kLow);  // sync: syncwarp_without_the_caller
  out[threadIdx.x] += 1;
}
CASE(syncwarp_without_the_caller, sync) {
  Device<int> out(32);
  syncwarp_without_the_caller<<<1, 32>>>(out);
  return done();
}

__global__ void syncwarp_of_those_who_call(int* out) {
  __shared__ int tile[16];
  if (threadIdx.x < 16) {
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp(kLow);
    out[threadIdx.x] = tile[15 - threadIdx.x];
  }
}
CASE(syncwarp_of_those_who_call, clean) {
  Device<int> out(16);
  syncwarp_of_those_who_call<<<1, 32>>>(out);
  return done(out.are([](int i) { return 15 - i; }));
}

/// The lanes synchronise, each half at its own place in the program.
__global__ void syncwarp_at_two_places(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  int other;
  if (threadIdx.x < 16) {
    __syncwarp();
    other = tile[threadIdx.x + 16];
  } else {
    __syncwarp();
    other = 2 * tile[threadIdx.x - 16];
  }
  out[threadIdx.x] = other;
}
CASE(syncwarp_at_two_places, clean) {
  Device<int> out(32);
  syncwarp_at_two_places<<<1, 32>>>(out);
  return done(out.are([](int i) { return i < 16 ? i + 16 : 2 * (i - 16); }));
}

/// The halves disagree on the mask: the upper one waits for lanes that have already passed their own barrier.
__global__ void masks_that_differ(int* out) {
  out[threadIdx.x] = 0;
  if (threadIdx.x < 16)
    __syncwarp(kLow);  // sync: masks_that_differ
  else
    __syncwarp(kAll);  // sync: masks_that_differ
  __syncthreads();     // sync: masks_that_differ
  out[threadIdx.x] = 1;
}
CASE(masks_that_differ, sync_hang) {
  Device<int> out(32);
  masks_that_differ<<<1, 32>>>(out);
  return done();
}

/// One call, and the lanes of the upper half name those of the lower one, which do not name them.
__global__ void masks_that_differ_in_one_call(int* out) {
  const unsigned mask = threadIdx.x < 16 ? kLow : kAll;
  __syncwarp(mask);  // sync: masks_that_differ_in_one_call
  out[threadIdx.x] = mask != 0;
}
CASE(masks_that_differ_in_one_call, sync_hang) {
  Device<int> out(32);
  masks_that_differ_in_one_call<<<1, 32>>>(out);
  return done();
}

/// Each group of eight lanes has its own mask, and its lanes are at two places of the program.
__global__ void groups_at_two_places(int* out) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  const unsigned group = 0xffu << lane / 8 * 8;
  tile[lane] = lane;
  int other;
  if (lane % 2 == 0) {
    __syncwarp(group);
    other = tile[lane + 1];
  } else {
    __syncwarp(group);
    other = 2 * tile[lane - 1];
  }
  out[lane] = other;
}
CASE(groups_at_two_places, clean) {
  Device<int> out(32);
  groups_at_two_places<<<1, 32>>>(out);
  return done(out.are([](int i) { return i % 2 == 0 ? i + 1 : 2 * (i - 1); }));
}

/// One lane waits for a word that nobody writes, and the rest of the warp for the lane: the loop is what is wrong.
__global__ void loop_before_a_reduction(const volatile int* flag, int* out) {
  int value = threadIdx.x;
  if (threadIdx.x == 5) {
    while (*flag == 0) {  // sync: loop_before_a_reduction
    }
    value = 7;
  }
  out[threadIdx.x] = __reduce_add_sync(kAll, value);
}
CASE(loop_before_a_reduction, sync_hang) {
  Device<int> flag(1, 0), out(32);
  loop_before_a_reduction<<<1, 32>>>(flag, out);
  return done();
}

/// Lane 20 is not in the mask of the shuffle.
__global__ void shuffle_from_a_lane_outside_the_mask(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(kLow, 3 * threadIdx.x, 20);  // init: shuffle_from_a_lane_outside_the_mask
  }
}
CASE(shuffle_from_a_lane_outside_the_mask, init) {
  Device<int> out(16);
  shuffle_from_a_lane_outside_the_mask<<<1, 32>>>(out);
  return done();
}

__global__ void shuffle_among_half_a_warp(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(kLow, 3 * threadIdx.x, 10);
}
CASE(shuffle_among_half_a_warp, clean) {
  Device<int> out(16);
  shuffle_among_half_a_warp<<<1, 32>>>(out);
  return done(out.are([](int) { return 30; }));
}

/// Lanes 16 to 31 have exited; their registers no longer exist.
__global__ void shuffle_from_a_lane_that_has_ended(int* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = __shfl_xor_sync(kAll, 3 * threadIdx.x, 16);  // init: shuffle_from_a_lane_that_has_ended
}
CASE(shuffle_from_a_lane_that_has_ended, init) {
  Device<int> out(16);
  shuffle_from_a_lane_that_has_ended<<<1, 32>>>(out);
  return done();
}

/// The tail of a block whose size is not a multiple of 32: half of the sum comes from lanes that never existed.
__global__ void sum_with_lanes_that_never_were(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(kAll, sum, step);  // init: sum_with_lanes_that_never_were
  if (threadIdx.x == 0) *out = sum;            // init: sum_with_lanes_that_never_were
}
CASE(sum_with_lanes_that_never_were, init) {
  Device<int> in(numbers(20)), out(1);
  sum_with_lanes_that_never_were<<<1, 20>>>(in, out);
  return done();
}

/// Values from beyond the last lane go to lanes whose sums are not used, or are left out.
__global__ void sums_whose_tails_are_not_used(const int* in, int* out) {
  int sum = in[threadIdx.x], guarded = in[threadIdx.x];
  const int lanes = blockDim.x;
  for (int step = 8; step > 0; step /= 2) sum += __shfl_down_sync(kLow, sum, step);
  for (int step = 16; step > 0; step /= 2) {
    const int other = __shfl_down_sync(kAll, guarded, step);
    if (int(threadIdx.x) + step < lanes) guarded += other;
  }
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = guarded;
  }
}
CASE(sums_whose_tails_are_not_used, clean) {
  Device<int> in(numbers(16)), out(2);
  sums_whose_tails_are_not_used<<<1, 16>>>(in, out);
  return done(out.are([](int) { return 120; }));
}

/// The mask is a constant that does not fit: lanes 16 and above call and are not in it.
__global__ void shuffle_without_the_caller(int* out) {
  out[threadIdx.x] = __shfl_sync(kLow, 3 * threadIdx.x, 0);  // sync: shuffle_without_the_caller
}
CASE(shuffle_without_the_caller, sync) {
  Device<int> out(32);
  shuffle_without_the_caller<<<1, 32>>>(out);
  return done();
}

__global__ void vote_without_the_caller(int* out) {
  out[threadIdx.x] = __any_sync(kLow, threadIdx.x == 9);  // sync: vote_without_the_caller
}
CASE(vote_without_the_caller, sync) {
  Device<int> out(32);
  vote_without_the_caller<<<1, 32>>>(out);
  return done();
}

/// The mask comes from a ballot before the branch.
__global__ void mask_from_a_ballot(const int* in, int* out) {
  const int value = in[threadIdx.x];
  const unsigned mask = __ballot_sync(kAll, value % 3 == 0);
  out[threadIdx.x] = 0;
  if (value % 3 == 0) {
    out[threadIdx.x] = __reduce_add_sync(mask, value) + __shfl_sync(mask, value, __ffs(mask) - 1);
    __syncwarp(mask);
  }
}
CASE(mask_from_a_ballot, clean) {
  Device<int> in(numbers(32)), out(32);
  mask_from_a_ballot<<<1, 32>>>(in, out);
  return done(out.are([](int i) { return i % 3 == 0 ? 165 : 0; }));
}

/// A source lane beyond the width of a shuffle is taken modulo the width: no lane is missing.
__global__ void shuffle_up_and_down_within_a_width(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = __shfl_up_sync(kAll, value, 2, 8) + 100 * __shfl_sync(kAll, value, 9, 8);
}
CASE(shuffle_up_and_down_within_a_width, clean) {
  Device<int> in(numbers(32)), out(32);
  shuffle_up_and_down_within_a_width<<<1, 32>>>(in, out);
  return done(out.are([](int i) { return (i % 8 < 2 ? i : i - 2) + 100 * (i / 8 * 8 + 1); }));
}

}  // namespace
