// The contract of lab scan: what the functions in scan.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup scan Lab scan
/// Prefix sums: in a block, in three phases for any length, and in a single pass over the memory.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. `in` is only read. No sum of neighbouring elements leaves the range of `int`. The functions start kernels
/// on the default stream and need not wait for them.
/// @{

/// Two ways to scan n numbers.
enum class Method {
  doubling,   ///< In the step with distance s = 1, 2, 4, ..., each element i >= s gets element i - s added.
  two_trees,  ///< Up: for s = 1, 2, 4, ... n / 2, element 2s(k + 1) - 1 gets element 2s(k + 1) - 1 - s, for all k >= 0.
              ///< Down: for s = n / 4, ... 2, 1, element 2s(k + 1) - 1 + s gets element 2s(k + 1) - 1, for all k >= 0.
};

/// Part 1: how many additions does a scan of n numbers take?
/// @param method which
/// @param n      a power of two, 2 to 2^20
int predict_additions(Method method, int n);

/// Part 1: going up the tree of 1024 ints in shared memory with 512 threads, thread k adds element 2s(k + 1) - 1 - s to
/// element 2s(k + 1) - 1, if that is one of the 1024. How many wavefronts does warp 0 need to load the latter elements?
/// @param distance s: 1, 2, 4, ... 512
int predict_wavefronts(int distance);

/// How a scan of any length goes over the memory.
enum class Plan {
  three_phases,  ///< Blocks scan their parts; the sums of the parts are scanned; each block adds what came before it.
  sums_first,    ///< Blocks sum their parts; the sums are scanned; each block scans its part, from what came before.
  single_pass,   ///< Each part is read once, scanned, and written once.
};

/// Part 1: how many bytes are read from global memory and written to it, by lanes, leaving out the sums of the parts?
/// @param plan which
/// @param n    ints to scan, 0 to 2^30
long long predict_bytes(Plan plan, int n);

/// Part 2: scans each group of 1024 numbers on its own: `out[i]` is the sum of `in[j]` for all j <= i in the group of
/// i. Group g is the elements 1024 g to 1024 g + 1023, as far as they exist.
/// @param in   device, n elements
/// @param out  device, n elements
/// @param sums device, an element for each group, a partial one too: the sum of the group
/// @param n    elements, 0 to 2^20
void scan_groups(const int* in, int* out, int* sums, int n);

/// Part 3: scans all numbers: `out[i]` is the sum of `in[0]` to `in[i]`.
/// @param in      device, n elements
/// @param out     device, n elements
/// @param scratch device, n / 512 + 16 elements to work with; they may hold anything
/// @param n       elements, 0 to 2^23
void scan(const int* in, int* out, unsigned long long* scratch, int n);

/// @}
