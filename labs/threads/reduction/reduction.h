// The contract of lab reduction: what the functions in reduction.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup reduction Lab reduction
/// One number from many: sums in global memory, in shared memory, and in a single pass with warp shuffles and atomics.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. The functions start kernels on the default stream and need not wait for them.
/// @{

/// Part 1: each launch adds one half of the numbers to the other half. How many launches leave a single number?
/// An odd count leaves the larger half: 5 numbers become 3.
/// @param n numbers at the start, 0 to 2^30
/// @returns launches; 0 if there is nothing to add
int predict_launches(int n);

/// Part 1: sums in place, in global memory: afterwards `data[0]` is the sum of `data[0]` to `data[n - 1]` as they were.
/// What the other elements hold then does not matter. No sum of any of the elements leaves the range of `int`.
/// @param data device, `n` elements; read and written
/// @param n    elements, 0 to 2^20; nothing is done for 0
void sum_in_place(int* data, int n);

/// How the additions of a block are given to its 256 threads, of which thread t handles element t.
enum class Order {
  modulo,      ///< In the step with distance s, thread t adds element t + s to element t if t % (2 * s) == 0.
  sequential,  ///< In the step with distance s, thread t adds element t + s to element t if t < s.
};

/// Part 2: in how many of the 8 warps of a block does at least one thread add something in the step with this distance?
/// @param distance 1, 2, 4, ... 128
/// @returns warps, 1 to 8
int predict_busy_warps(Order order, int distance);

/// Part 2: sums groups of 512 neighbouring elements: `sums[b]` = `in[512 * b]` + ... + `in[512 * b + 511]`; the last
/// group may have fewer elements. One launch, in which a block of 256 threads sums one group.
/// @param in   device, `n` elements; only read
/// @param sums device, `n / 512` elements, rounded up
/// @param n    elements, 0 to 2^20; nothing is done for 0
void sum_groups(const int* in, int* sums, int n);

/// Part 3: no sum can be faster than the memory delivers its numbers. How long does that take?
/// @param n        floats (4 bytes each), 0 to 2^31 - 1
/// @param gb_per_s bytes that the memory delivers per nanosecond (= 10^9 bytes per second), > 0
/// @returns microseconds
double least_time_us(int n, double gb_per_s);

/// Part 3: sums floats: `out[0]` = `in[0]` + ... + `in[n - 1]`, in any order; 0 for n = 0.
/// @param in      device, `n` elements; only read
/// @param out     device, 1 element; may hold anything before the call
/// @param scratch device, `n + 1024` elements to use as you like, or not at all; they may hold anything
/// @param n       elements, 0 to 2^23
void sum(const float* in, float* out, float* scratch, int n);

/// @}
