// Complete pieces of lab quicksort: places for keys, the choice of a pivot, and the kernel that runs after the sort.
#pragma once

#include "pivot.h"

constexpr int kThreads = 512;  // Threads of every block here.

/// Gives each lane that wants one a place of its own, from *next on, and moves *next on, by one atomic addition for the
/// warp. All lanes of the warp call it. @param next in shared memory
__device__ inline int place(int* next, bool wanted) {
  const unsigned who = __ballot_sync(~0u, wanted), lane = threadIdx.x % 32;
  int first = 0;
  if (lane == 0 && who != 0) first = atomicAdd(next, __popc(who));
  return __shfl_sync(~0u, first, 0) + __popc(who & ((1u << lane) - 1));
}

/// The key at which `count` keys are to be split; at least one. All threads of the block call it, each warp finds the
/// same.
__device__ inline unsigned choose_pivot(const unsigned* keys, int count, Pivot pivot) {
  if (pivot == Pivot::first) return keys[0];
  const unsigned lane = threadIdx.x % 32;
  if (pivot == Pivot::smallest) {
    unsigned least = ~0u;
    for (int i = lane; i < count; i += 32) least = min(least, keys[i]);
    return __reduce_min_sync(~0u, least);
  }
  const unsigned mixed = (lane + 1) * 2654435769u + count * 2246822519u;  // Two large odd numbers.
  const unsigned key = keys[(mixed ^ mixed >> 15) % count];
  unsigned rank = 0;  // Of this key among the 32; equal ones in the order of their lanes.
  for (unsigned other = 0; other < 32; ++other) {
    const unsigned theirs = __shfl_sync(~0u, key, other);
    rank += theirs < key || (theirs == key && other < lane);
  }
  return __shfl_sync(~0u, key, __ffs(__ballot_sync(~0u, rank == 16)) - 1);
}

/// One block counts how many different keys there are among `count` sorted ones.
__global__ void count_distinct(const unsigned* keys, int count, int* distinct) {
  int found = 0;
  for (int first = 0; first < count; first += kThreads) {
    const int i = first + static_cast<int>(threadIdx.x);
    found += __syncthreads_count(i < count && (i == 0 || keys[i - 1] != keys[i]));
  }
  if (threadIdx.x == 0) *distinct = found;
}
