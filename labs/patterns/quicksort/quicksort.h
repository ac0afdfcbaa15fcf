// The contract of lab quicksort: what the functions in quicksort.cu must do.
#pragma once

#include "common/cuda/lab.h"
#include "pivot.h"  // Pivot::first, Pivot::sampled, Pivot::smallest

/// @defgroup quicksort Lab quicksort
/// Keys sorted by a kernel that launches itself, whatever keys and pivots there are.
///
/// Common to all: keys are unsigned, any values, equal ones among them; sorted is ascending. Pointers are device
/// pointers, buffers do not overlap. The functions start work on the default stream and need not wait for it. The host
/// makes one launch for each call.
/// @{

/// A part of at most so many keys is not split any more: one block sorts it in shared memory.
constexpr int kSmall = 1024;

/// A block splits at most so many times, one after the other. If its part is still larger than kSmall then, the pivots
/// were bad, and it sorts the part as it is, without a pivot.
constexpr int kRounds = 24;

/// Who sorts the two parts of a split.
enum class Children {
  both,     ///< A grid for each part.
  smaller,  ///< A grid for the smaller part; the block itself goes on with the larger one, in a loop.
};

/// Question 1: `count` keys, all different, in the worst order there is for their pivots. How many grids are launched
/// by one another in a row, at most, if parts of more than `small` keys are split? The host's grid counts 0, a grid
/// that it launches 1, and so on. The pivot belongs to neither part, and kRounds does not count here.
/// @param count 0 to 1,000,000
/// @param small 4 to 4096
int predict_depth(int count, int small, Children children);

/// Question 2: how many grids do kernels launch with Children::smaller, if all keys are different, and the pivot of c
/// keys has (c - 1) / 2 keys on one side and the others on the other?
/// @param count 0 to 1,000,000
/// @param small 4 to 4096
int predict_launches(int count, int small);

/// Part 1: one block sorts a small part in shared memory. Each key is loaded from global memory once.
/// @param count 0 to kSmall
void sort_small(unsigned* keys, int count);

/// Part 2: one block splits keys in three: first those less than the pivot, then those equal to it, then those greater;
/// the order within each is free.
/// @param scratch room for `count` keys
/// @param count   0 to 32,768
/// @param pivot   any number; it need not be among the keys
/// @param counts  2 numbers: afterwards, how many keys are less, and how many are greater
void partition(unsigned* keys, unsigned* scratch, int count, unsigned pivot, int* counts);

/// Part 3: sorts the keys. A grid is one block, for one part. A block splits its part, launches a grid for the smaller
/// of the two sides, if that has at least 2 keys, and goes on with the larger one, until that is small or kRounds is
/// reached. So no grid is deeper than `predict_depth(count, kSmall, Children::smaller)`. Grids do not wait for each
/// other.
/// @param scratch room for `count` keys; a grid uses only the piece that its keys have, as others run at the same time
/// @param count   0 to 32,768
/// @param pivot   for choose_pivot()
void quicksort(unsigned* keys, unsigned* scratch, int count, Pivot pivot);

/// Part 4: sorts the keys by Part 3, with Pivot::sampled, and then, without the host, counts how many different ones
/// there are, by the kernel count_distinct in pieces.cuh.
/// @param scratch  room for `count` keys
/// @param count    0 to 32,768
/// @param distinct 1 number: afterwards, how many different keys there are
void quicksort_and_count(unsigned* keys, unsigned* scratch, int count, int* distinct);

/// @}
