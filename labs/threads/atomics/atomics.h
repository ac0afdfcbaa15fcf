// The contract of lab atomics: what the functions in atomics.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup atomics Lab atomics
/// Who adds, to which address, and in which order: atomics in global memory.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. `in`, `flights` and `wanted` are only read. Results may hold anything before the call. The functions start
/// kernels on the default stream and need not wait for them.
/// @{

/// Who adds to a sum in global memory. Threads are in blocks of 256, and thread i has element i.
enum class Adds {
  each_element,  ///< Each thread that has an element.
  each_warp,     ///< One lane for its warp, if that has at least one element.
  each_block,    ///< One thread for its block, if that has at least one element.
};

/// Part 1: how many times does a thread call atomicAdd, for n elements?
/// @param adds who
/// @param n    0 to 2^20
int predict_atomics(Adds adds, int n);

/// Part 1: lane i of a full warp adds to `sums[i % addresses * stride]`, an array of `float` that begins at a sector.
/// How many turns does that take? Turns are counted sector by sector (32 bytes, 8 floats): a sector takes as many as
/// the address in it that most lanes add to.
/// @param addresses 1 to 32
/// @param stride    1 to 32
int predict_turns(int addresses, int stride);

/// Part 1: `*sum` is the float 16777216 (2^24), and n elements that are all 1.0f are added to it. Warps and blocks
/// first add up their own elements, from 0, and then add that.
/// @param adds who
/// @param n    0 to 2^20
/// @returns what `*sum` is then
int predict_sum(Adds adds, int n);

/// Part 2: the sum of `in`. Each warp adds once. Blocks have 256 threads, and thread i has element i.
/// Where all sums of some elements are whole numbers below 2^24, the result is exact.
/// @param in  device, n elements, -1000 to 1000
/// @param sum device, one element
/// @param n   0 to 2^18
void sum_by_warps(const float* in, float* sum, int n);

/// Part 2: the same. Each block adds once, and there are at most 264 blocks.
/// @param in  device, n elements, -1000 to 1000
/// @param sum device, one element
/// @param n   0 to 2^21
void sum_by_blocks(const float* in, float* sum, int n);

/// Part 3: `sums[c]` is the sum of column c. A thread adds up to 64 elements of a column before it adds the result to
/// the sum of that column. Exact as above.
/// @param in      device, rows x columns elements, row by row, -1000 to 1000
/// @param sums    device, `columns` elements
/// @param rows    0 to 8192
/// @param columns 1 to 1000
void column_sums(const float* in, float* sums, int rows, int columns);

/// Part 4: the sum of `in`, with the same bits in whatever order blocks and warps run. Its error is at most 10^-6 of
/// the sum of all |in[i]|.
/// @param in      device, n elements, -1 to 1; those that are not 0 are at least 10^-3 in size
/// @param sum     device, one element
/// @param scratch device, 1024 elements, for whatever you need; it holds anything before
/// @param n       0 to 2^19
void sum_repeatable(const float* in, float* sum, unsigned long long* scratch, int n);

/// Part 5: groups ask for seats on flights: group i for `wanted[i]` seats on flight `flights[i]`. All flights have
/// equally many seats. A group gets all its seats, side by side, or none. It gets none only if they no longer fit. Who
/// comes first is left open. At the end, the seats that were given are 0 to booked[f] - 1 on each flight f.
/// @param flights device, n elements, 0 to count - 1
/// @param wanted  device, n elements, 1 to 9
/// @param booked  device, `count` elements: how many seats of each flight are given
/// @param first   device, n elements: the first seat of each group, or -1 if it got none
/// @param n       0 to 2^15
/// @param count   1 to 1000
/// @param seats   of each flight, 0 to 1,000,000
void book(const int* flights, const int* wanted, int* booked, int* first, int n, int count, int seats);

/// @}
