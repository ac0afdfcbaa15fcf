// The contract of lab find_the_bug: what eight programs must do, and what is wrong with each of them.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup find_the_bug Lab find_the_bug
/// Eight programs with one bug each; some of them give the right result all the same.
///
/// Common to all: pointers are device pointers, arrays do not overlap, `n` is 1 to 2^16, and 2^20 where time counts.
/// The functions start work on the default stream and need not wait for it. A fix leaves the rest of a program as it
/// is: the same kernels in the same grids, no more barriers, atomics and launches than the fix takes.
/// @{

/// Program 1: `out[i] = in[i + 1] - in[i]`; 0 for the last element.
void differences(const int* in, int* out, int n);

/// Program 2: `data[i]` becomes what `data[(i + by) % n]` was; `by` is 0 to 2^16.
void rotate(int* data, int n, int by);

/// Program 3: adds to `counts[v]`, v = 0 to 63, how many elements of `in` are v. No element is anything else.
void histogram(const int* in, int* counts, int n);

/// Program 4: `sums[b]` is the sum of elements 256 b to 256 b + 255 of `in`, of which the last group may have fewer.
void group_sums(const int* in, int* sums, int n);

/// Program 5: `data[i]` becomes what `data[i + 1]` was; the last element stays. `scratch` is `n` elements to use.
void shift(int* data, int* scratch, int n);

/// Program 6: `*out` is the sum of `in`, by one launch of 32 blocks, the last of which adds the sums of all. `partial`
/// is 32 elements to use, `arrived` is one, which is 0 at first.
void total(const int* in, int* partial, int* arrived, int* out, int n);

/// Program 7: each group of 256 elements, or what is left of it, in reverse order. A block does two groups.
void reverse_groups(const int* in, int* out, int n);

/// Program 8: neighbours swap places: `out[0]` is `in[1]`, `out[1]` is `in[0]`, and so on; the last of an odd number
/// of elements stays.
void swap_pairs(const int* in, int* out, int n);

/// The kinds of bugs.
enum Kind {
  divergent_barrier = 1,  ///< A barrier that some threads of the block do not reach.
  global_race,            ///< Two threads access one element of global memory, one of them writes, and nothing orders
                          ///< them, nor tries to: no thread counts or waits for what another has done.
  leak,                   ///< Memory that nobody frees.
  missing_fence,          ///< A thread tells others that its data is there, and nothing makes it visible before.
  overrun,                ///< An access beyond an array.
  shared_race,            ///< Two threads access one element of shared memory, one of them writes, and nothing orders
                          ///< them.
  uninitialised_read,     ///< A value is used that nobody has written.
  wrong_mask,             ///< A mask that does not name the lanes that take part, or names others.
};

/// Which kind of bug each program has, and where: the number of the line, as in the comments at the ends of lines, that
/// is wrong, or after which something is missing. Each kind occurs once.
/// @param program 1 to 8
/// @returns the line if the program's bug is of this kind, else 0
int line_of(int program, Kind kind);

/// Which programs, as you got them, finish and give the right result for n = 1000 on the virtual GPU in its documented
/// order, without checkers?
/// @returns 1 or 0
int right_today(int program);

/// @}
