// Parts that wait for those before them: what a block tells all others, and how it looks back at what they have told.
#pragma once

#include "grader/labs/patterns/scan/rungs/solution.cuh"

constexpr int kPart = kTile;      // Elements that one block scans.
constexpr int kPerProcessor = 4;  // Blocks that run on a multiprocessor at a time.

enum Told : unsigned { kNothing, kOwnSum, kSumSoFar };  // Nothing yet, the own part's sum, that of all up to its end.

// Stores what is told and the sum as one word, so that nobody sees the one without the other.
__device__ void tell(unsigned long long* place, Told told, int sum) {
  const unsigned long long both = 1ULL * told << 32 | static_cast<unsigned>(sum);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(both) : "memory");
}

// Waits until the block of this place has told something; says what, and which sum.
__device__ Told look(const unsigned long long* place, int& sum) {
  unsigned long long both = 0;
  while (both >> 32 == kNothing)
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(place) : "memory");
  sum = static_cast<int>(both);
  return static_cast<Told>(both >> 32);
}

// The sum of all parts before `part`, in all lanes. The first warp calls it, once the block knows its own sum.
__device__ int sum_before(unsigned long long* places, int part, int own_sum) {
  int before = 0;
  const int lane = threadIdx.x;
  if (lane == 0) tell(&places[part], part == 0 ? kSumSoFar : kOwnSum, own_sum);
  for (int last = part - 1; last >= 0; last -= 32) {
    int sum = 0;
    const Told told = lane <= last ? look(&places[last - lane], sum) : kNothing;
    const unsigned so_far = __ballot_sync(0xffffffff, told == kSumSoFar);
    const int nearest = so_far == 0 ? 31 : __ffs(so_far) - 1;
    before += __reduce_add_sync(0xffffffff, lane <= nearest ? sum : 0);
    if (so_far != 0) break;
  }
  if (lane == 0 && part > 0) tell(&places[part], kSumSoFar, before + own_sum);
  return before;
}
