// The contract of lab dynamic_parallelism: what the functions in dynamic_parallelism.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup dynamic_parallelism Lab dynamic_parallelism
/// Kernels that launch kernels: what a child sees, which grid waits for which, and what happens when there are too
/// many.
///
/// Common to all: pointers are device pointers, arrays do not overlap, `const` arrays are only read. Every element of a
/// result is written, and nothing else. Sizes may be 0: then nothing is done. Sums of `unsigned` wrap at 2^32. The
/// functions use the default stream and need not wait for their kernels.
/// @{

/// Answer to a question about visibility.
enum class Seen : char { surely = 's', perhaps = 'p', never = 'n' };

/// Part 1: a kernel (the parent) launches another one (the child). Is the value there when it is read?
/// @param situation
///   'a' the launching thread stored it in global memory before the launch; the child reads it
///   'b' another thread of the block stored it in global memory, then came `__syncthreads()`, then the launch;
///       the child reads it
///   'c' as 'b', but without `__syncthreads()`
///   'd' the launching thread stored it in global memory after the launch; the child reads it
///   'e' the child stored it in global memory; the parent reads it after the launch
///   'f' the child stored it in global memory; a tail launch of the parent reads it
///   'g' it is in the parent's shared memory, and the child gets a pointer to it
Seen predict_seen(char situation);

/// Part 2: smooths squares within segments. Block b has the elements [256 b, min(256 b + 256, count)). First
/// `squares[i] = in[i] * in[i]`; then `out[i]` is the sum of `squares[i]` and its neighbours to the left and right,
/// where an element at the edge of its segment is its own neighbour. One child for each block does the second step.
/// @param in      `count` elements
/// @param squares `count` elements
/// @param out     `count` elements
/// @param count   0 to 100,000
void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count);

/// A row with more values than this gets a child of its own; the others do not.
constexpr int kLongRow = 512;

/// Part 3: sums rows of different lengths: `sums[r]` is the sum of `values[offsets[r]]` to `values[offsets[r + 1] -
/// 1]`. Children that do not need each other can run at the same time.
/// @param values  all rows, one after another; 0 to 2^22 in all
/// @param offsets `rows + 1` positions, ascending, the first one 0
/// @param rows    0 to 100,000; at most 400 of them are long
/// @param sums    `rows` elements
void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums);

/// Part 4: as sum_rows(), and `*largest` becomes the largest of the sums. The host launches one kernel; a tail launch
/// finds the largest sum. With 0 rows nothing is written.
/// @param largest 1 element
void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest);

/// Part 5: visits each of `count` elements once: `visits[i]` becomes 1. The parent launches a child of one thread for
/// each element, into the NULL stream. Where that launch is refused because too many are pending, the thread that made
/// it visits the element itself and adds 1 to `*refused`. The limit stays as it is. (Fire-and-forget launches over the
/// limit are refused as well; here the NULL stream is asked for.) The limit is what your caller chose, 2048 by default;
/// how many launches the device accepts depends on it and on how many children are complete by then.
/// @param count   0 to 600
/// @param visits  `count` elements, 0
/// @param refused 1 element, 0
void visit_all(int count, int* visits, int* refused);

/// Part 5: the same, all of it by children: the limit is raised first, to exactly `count` where it is lower (room for
/// launches takes device memory), and never lowered. No launch may be refused.
/// @param count  0 to 600
/// @param visits `count` elements, 0
void visit_by_children(int count, int* visits);

/// Part 6: how many grids run in count_nodes()? The first one counts.
/// @param fanout 1 to 8
/// @param depth  0 to 5
int predict_grids(int fanout, int depth);

/// Part 6: a tree of grids. Each grid adds 1 to `nodes[d]`, where d is its depth: 0 for the one that the host launches,
/// 1 for its children, and so on. Every grid at a depth less than `depth` launches `fanout` children.
/// @param fanout 1 to 8
/// @param depth  0 to 5, and fanout^depth at most 512
/// @param nodes  `depth + 1` elements, 0
void count_nodes(int fanout, int depth, int* nodes);

/// @}
