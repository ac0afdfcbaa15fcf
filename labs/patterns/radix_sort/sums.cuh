// What is given in lab radix_sort: sizes, the arrays of a pass, sums over a block, the counts and their scan, what
// becomes of values, the loop over the passes.
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

/// Keys without values.
template <class Key>
From from_keys(const Key* keys) {
  return {reinterpret_cast<const unsigned*>(keys), nullptr};
}
template <class Key>
To to_keys(Key* keys) {
  return {reinterpret_cast<unsigned*>(keys), nullptr};
}

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

/// What count_kernel does, a block for each part: counts[d * parts + p] becomes how many keys of part p have digit d.
/// @param digit_of gives the digit of a key
template <class DigitOf>
__device__ void count_digits(const unsigned* keys, int* counts, int n, const DigitOf& digit_of) {
  __shared__ int of_digits[kDigits];
  of_digits[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < kEach; ++k) {
    const int i = blockIdx.x * kPart + k * kThreads + threadIdx.x;
    if (i < n) atomicAdd(&of_digits[digit_of(keys[i])], 1);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = of_digits[threadIdx.x];
}

/// Step 7 of place_kernel: the values go the way of their keys, by `sorted`.
/// @param places where in `sorted` the thread's keys went in step 5
/// @param target where in `out` the thread stored what it took from `sorted` in step 6
__device__ inline void place_values(const unsigned* from, unsigned* to, unsigned (&sorted)[kPart],
                                    const int (&places)[kEach], const int (&target)[kEach], int n) {
  const int part = blockIdx.x * kPart, first = part + threadIdx.x / 32 * kEach * 32 + threadIdx.x % 32;
  __syncthreads();
  for (int k = 0; k < kEach; ++k)
    if (first + 32 * k < n) sorted[places[k]] = from[first + 32 * k];
  __syncthreads();
  for (int k = 0; k < kEach; ++k)
    if (part + k * kThreads + threadIdx.x < n) to[target[k]] = sorted[k * kThreads + threadIdx.x];
}

/// Calls pass(shift, from, to, counts, totals, parts) for each of the four digits, if there are keys: from `in` to
/// scratch, from there to `out`, and both again. Counts and totals come after 2 n elements of scratch.
template <class Pass>
void each_pass(From in, To out, unsigned* scratch, int n, const Pass& pass) {
  int *totals = reinterpret_cast<int*>(scratch + 2 * n), *counts = totals + kDigits;
  From from = in;
  for (int shift = 0; shift < 32 && n > 0; shift += 8) {
    const To to = shift % 16 == 0 ? To{scratch, scratch + n} : out;
    pass(shift, from, to, counts, totals, (n + kPart - 1) / kPart);
    from = {to.keys, to.values};
  }
}
