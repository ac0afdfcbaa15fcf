// Lab dynamic_parallelism: kernels that launch kernels.
// This is the only file you edit. What each function must do is in dynamic_parallelism.h, what to do first in
// README.md.
#include "children.cuh"  // The kernels that you launch as children, complete.
#include "common/cuda/check.cuh"
#include "dynamic_parallelism.h"

// Blocks of kThreads threads that have one thread for each of `count` elements.
int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Part 1: what does a child see? ---------------------------------------------------------------------------------

Seen predict_seen(char situation) {
  // TODO(student): give the answer to each situation: Seen::surely, Seen::perhaps or Seen::never. (a switch, or ifs)
  warpbook::not_started();
}

// ---- Part 2: a child for each block ---------------------------------------------------------------------------------

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  // TODO(student): the segment is [begin, end): begin = blockIdx.x * kThreads, end = min(begin + kThreads, count). Each
  // thread stores its square, if there is an element for it. Then ONE thread of the block launches
  // smooth_segment for the segment, with one block of kThreads threads. When are all squares there? (5 lines)
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}

// ---- Part 3: children where they pay --------------------------------------------------------------------------------

// What thread `row` of the kernels of parts 3 and 4 does.
__device__ void sum_one_row(const unsigned* values, const int* offsets, int row, unsigned* sums) {
  // TODO(student): a row of more than kLongRow values gets a child, sum_long_row. Children of neighbouring rows do not
  // need each other: into which stream do they go, so that they need not wait? A short row is summed right here, in a
  // loop. (8 lines)
}

__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row < rows) sum_one_row(values, offsets, row, sums);
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  // TODO(student): delete the next line when sum_one_row is written. The launch below is as it should be.
  warpbook::not_started();
  if (rows > 0) sum_rows_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums);
}

// ---- Part 4: after all children -------------------------------------------------------------------------------------

__global__ void largest_row_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums,
                                   unsigned* largest) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row < rows) sum_one_row(values, offsets, row, sums);
  // TODO(student): ONE thread of the whole grid launches find_largest, so that it runs after every sum of every block
  // and of every child is there. (1 or 2 lines)
}

void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (rows > 0) largest_row_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums, largest);
}

// ---- Part 5: too many launches --------------------------------------------------------------------------------------

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  // TODO(student): launch visit for element i, into the NULL stream. Ask cudaGetLastError() whether it was refused. If
  // it says cudaErrorLaunchPendingCountExceeded, visit the element here, and count it: atomicAdd(refused, 1). (5 lines)
}

void visit_all(int count, int* visits, int* refused) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}

// Complete: here every launch must be accepted.
__global__ void visit_by_children_kernel(int count, int* visits) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) visit<<<1, 1>>>(i, visits);
}

void visit_by_children(int count, int* visits) {
  // TODO(student): ask for the limit cudaLimitDevRuntimePendingLaunchCount (cudaDeviceGetLimit gives a size_t) and, if
  // it is less than count, raise it (cudaDeviceSetLimit). Check both calls with WB_CHECK(...). Then delete the next
  // line. (3 lines)
  warpbook::not_started();
  if (count > 0) visit_by_children_kernel<<<blocks_for(count), kThreads>>>(count, visits);
}

// ---- Part 6: recursion ----------------------------------------------------------------------------------------------

int predict_grids(int fanout, int depth) {
  // TODO(student): 1 + fanout + fanout^2 + ... + fanout^depth. (a loop, 3 or 4 lines in place of the next one)
  warpbook::not_started();
}

// One block of `fanout` threads, at depth d of a tree.
__global__ void count_nodes_kernel(int d, int depth, int* nodes) {
  // TODO(student): one thread adds 1 to nodes[d], with atomicAdd: other grids do the same at the same time. Then, if d
  // is less than depth, every thread launches this same kernel for d + 1, with as many threads. (3 lines)
}

void count_nodes(int fanout, int depth, int* nodes) {
  // TODO(student): launch the first grid, at depth 0. Then delete the next line. (1 line)
  warpbook::not_started();
}
