// What is given in lab radix_sort: sizes, the arrays of a pass, sums over a block, the scan of the counts.
#pragma once

#include "radix_sort.h"

constexpr int kThreads = 256, kWarps = kThreads / 32;  ///< Threads and warps of a block, but in part 3.
constexpr int kBlock = 1024;                           ///< Part 3: keys of a block, and its threads.
constexpr int kDigits = 256;                           ///< Parts 4 to 6: a digit has 8 bits; a thread for each value.
constexpr int kEach = 16, kPart = kEach * kThreads;  ///< Parts 4 to 6: keys of a thread; of a part, which a block has.
constexpr unsigned kAll = 0xffffffff;                ///< All lanes of a warp.

/// What the 32 bits of a key are.
enum class Kind { unsigneds, ints, floats };

/// What a pass reads; where there are no values, these are null.
struct From {
  const unsigned *keys, *values;
};

/// What a pass writes.
struct To {
  unsigned *keys, *values;
};

/// All threads of the block must call it.
/// @param value    of this thread
/// @param of_warps shared memory to work in
/// @param all      becomes the sum of the values of all threads
/// @returns the sum of the values of the threads before this one
__device__ inline int sum_before(int value, int (&of_warps)[kWarps], int& all) {
  int up_to_here = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(kAll, up_to_here, distance);
    if (threadIdx.x % 32 >= distance) up_to_here += below;
  }
  if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = up_to_here;
  __syncthreads();
  all = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w == threadIdx.x / 32) up_to_here += all;
    all += of_warps[w];
  }
  __syncthreads();
  return up_to_here - value;
}

/// Changes each count of digit blockIdx.x into the sum of those of the parts before it. A block for each digit.
/// @param counts counts[d * parts + p]: how many keys of part p have digit d
/// @param totals totals[d] becomes the sum of the counts of digit d
/// @param parts  how many
static __global__ void scan_counts_kernel(int* counts, int* totals, int parts) {
  __shared__ int of_warps[kWarps];
  int before = 0, all = 0;
  for (int first = 0; first < parts; first += kThreads, before += all) {
    const int p = first + threadIdx.x, at = blockIdx.x * parts + p;
    const int before_p = before + sum_before(p < parts ? counts[at] : 0, of_warps, all);
    if (p < parts) counts[at] = before_p;
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}
