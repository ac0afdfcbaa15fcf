// The contract of exercise thrust_sort: orders of numbers and of records, by a library.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup thrust_sort Exercise thrust_sort
/// Outside of courses, few write sorts. `thrust::sort(thrust::device, first, last)` sorts what lies between two
/// pointers to device memory; a third argument says what comes first, `thrust::greater<float>()` or a functor of
/// your own with a `__device__ bool operator()`. `thrust::stable_sort` keeps equal elements in their order, which
/// `sort` may do but does not promise; `sort_by_key` moves values along with their keys. Numbers in the order of
/// `less` or `greater` are sorted digit by digit (a radix sort), which compares nothing. For any other comparison
/// Thrust merges sorted parts, slower for large arrays.
/// @{

/// Sorts `values`, the largest first.
/// @param values device; no NaN
/// @param count  1 to 2^13
void sort_descending(float* values, int count);

/// One line of a list of results.
struct Player {
  int number;  ///< What identifies the player.
  int points;  ///< More are better.
  int time;    ///< Less is better.
  int team;
};

/// Sorts `players`, the best first: more points come first; with equal points, less time. Players with the same points
/// and time keep their order. (Call what promises that. Today's `sort` does it, too, so no test can tell.)
/// @param players device, 1 to 2^13
void rank(Player* players, int count);

/// Predicts whether Thrust sorts digit by digit: returns 1 if so, else 0.
/// @param what 0: ints by less; 1: doubles by greater; 2: floats by a functor that returns `x > y`; 3: Players by their
/// points; 4: keys of 1 byte with values, by less; 5: ints by less, stable
int sorts_by_digits(int what);
/// @}
