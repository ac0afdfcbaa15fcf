// The contract of lab compaction: what the functions in compaction.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup compaction Lab compaction
/// Keeping some numbers of many, in their order: by flags and a scan, and by ballots and a count for each block.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. Arrays that are `const` are only read. The functions start kernels on the default stream and need not wait
/// for them. A number is **kept** if it is greater than `limit`; the order of numbers does not change.
/// @{

/// How numbers are kept.
enum class Plan {
  flags,         ///< A kernel stores a flag for each number; a scan in a single pass reads the flags and stores a sum
                 ///< for each; a kernel reads all flags, and of kept numbers only the sum and the number.
  counts_first,  ///< Blocks read their numbers and count; the counts are scanned; blocks read their numbers again.
  single_pass,   ///< Each number is read once; blocks look back (see lab scan).
};

/// Part 1: how many bytes do lanes read from global memory and write to it, leaving out the counts of blocks? Flags and
/// sums are ints, too. Kept numbers are stored once; the others are not stored.
/// @param plan which
/// @param n    ints, 0 to 2^30
/// @param kept how many of them are kept, 0 to n
long long predict_bytes(Plan plan, int n, int kept);

/// Part 1: one store instruction of a warp writes `kept` ints side by side, from element `first` of an array on. To how
/// many sectors of 32 bytes?
/// @param first 0 to 2^22
/// @param kept  0 to 32
int predict_sectors(int first, int kept);

/// Part 2: `flags[i]` is 1 if `in[i]` is greater than `limit`, else 0.
/// @param in    device, n elements
/// @param limit any
/// @param flags device, n elements
/// @param n     elements, 0 to 2^22
void mark(const int* in, int limit, int* flags, int n);

/// Part 2: stores the numbers with flag 1 side by side: the first one is `out[0]`.
/// @param in    device, n elements
/// @param flags device, n elements, 0 or 1
/// @param sums  device, n elements: `sums[i]` is `flags[0] + ... + flags[i]`, as lab scan computes it
/// @param out   device, as many elements as flags are 1
/// @param n     elements, 0 to 2^22
void gather(const int* in, const int* flags, const int* sums, int* out, int n);

/// Part 2: the way back. `out[i]` is the number that `gather` took from element i; where the flag is 0, it is 0.
/// @param packed device, as many elements as flags are 1
/// @param flags  device, n elements, 0 or 1
/// @param sums   device, n elements, as in `gather`
/// @param out    device, n elements
/// @param n      elements, 0 to 2^22
void scatter_back(const int* packed, const int* flags, const int* sums, int* out, int n);

/// Part 3: stores the kept numbers side by side, in their order.
/// @param in      device, n elements
/// @param limit   numbers that are greater are kept
/// @param out     device, as many elements as are kept
/// @param kept    device, one element: how many are kept, also where n is 0
/// @param scratch device, n / 128 + 16 elements to work with; they may hold anything
/// @param n       elements, 0 to 2^22
void compact(const int* in, int limit, int* out, int* kept, int* scratch, int n);

/// Part 4: stores the kept numbers side by side, in their order, and after them all others, in theirs: a *stable
/// partition*.
/// @param in      device, n elements
/// @param limit   numbers that are greater are kept
/// @param out     device, n elements
/// @param kept    device, one element: how many are kept, also where n is 0
/// @param scratch device, n / 128 + 16 elements to work with; they may hold anything
/// @param n       elements, 0 to 2^22
void partition(const int* in, int limit, int* out, int* kept, int* scratch, int n);

/// @}
