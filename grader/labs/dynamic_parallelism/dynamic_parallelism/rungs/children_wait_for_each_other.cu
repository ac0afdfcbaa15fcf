// The children of a block go into its NULL stream, where each waits for the one before it.
#include "children.cuh"  // The kernels that you launch as children, complete.
#include "common/cuda/check.cuh"
#include "dynamic_parallelism.h"

// Blocks of kThreads threads that have one thread for each of `count` elements.
int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Part 1: what does a child see? ---------------------------------------------------------------------------------

Seen predict_seen(char situation) {
  switch (situation) {
    case 'a':
    case 'b':
    case 'f':
      return Seen::surely;
    case 'g':
      return Seen::never;
    default:
      return Seen::perhaps;
  }
}

// ---- Part 2: a child for each block ---------------------------------------------------------------------------------

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  const int begin = blockIdx.x * kThreads, end = min(begin + kThreads, count);
  const int i = begin + threadIdx.x;
  if (i < end) squares[i] = in[i] * in[i];
  __syncthreads();
  if (threadIdx.x == 0) smooth_segment<<<1, kThreads>>>(squares, out, begin, end);
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}

// ---- Part 3: children where they pay --------------------------------------------------------------------------------

// What thread `row` of the kernels of parts 3 and 4 does.
__device__ void sum_one_row(const unsigned* values, const int* offsets, int row, unsigned* sums) {
  const int begin = offsets[row], end = offsets[row + 1];
  if (end - begin > kLongRow) {
    sum_long_row<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values, begin, end, sums + row);
    return;
  }
  unsigned sum = 0;
  for (int i = begin; i < end; ++i) sum += values[i];
  sums[row] = sum;
}

__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  const int begin = offsets[row], end = offsets[row + 1];
  if (end - begin > kLongRow) {
    sum_long_row<<<1, kThreads>>>(values, begin, end, sums + row);
    return;
  }
  unsigned sum = 0;
  for (int i = begin; i < end; ++i) sum += values[i];
  sums[row] = sum;
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows > 0) sum_rows_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums);
}

// ---- Part 4: after all children -------------------------------------------------------------------------------------

__global__ void largest_row_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums,
                                   unsigned* largest) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row < rows) sum_one_row(values, offsets, row, sums);
  if (row == 0) find_largest<<<1, kThreads, 0, cudaStreamTailLaunch>>>(sums, rows, largest);
}

void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest) {
  if (rows > 0) largest_row_kernel<<<blocks_for(rows), kThreads>>>(values, offsets, rows, sums, largest);
}

// ---- Part 5: too many launches --------------------------------------------------------------------------------------

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  visit<<<1, 1>>>(i, visits);
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) {
    visits[i] += 1;
    atomicAdd(refused, 1);
  }
}

void visit_all(int count, int* visits, int* refused) {
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}

// Complete: here every launch must be accepted.
__global__ void visit_by_children_kernel(int count, int* visits) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) visit<<<1, 1>>>(i, visits);
}

void visit_by_children(int count, int* visits) {
  std::size_t limit = 0;
  WB_CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  if (limit < static_cast<std::size_t>(count))
    WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count));
  if (count > 0) visit_by_children_kernel<<<blocks_for(count), kThreads>>>(count, visits);
}

// ---- Part 6: recursion ----------------------------------------------------------------------------------------------

int predict_grids(int fanout, int depth) {
  int grids = 0;
  for (int d = 0, width = 1; d <= depth; ++d, width *= fanout) grids += width;
  return grids;
}

// One block of `fanout` threads, at depth d of a tree.
__global__ void count_nodes_kernel(int d, int depth, int* nodes) {
  if (threadIdx.x == 0) atomicAdd(&nodes[d], 1);
  if (d < depth) count_nodes_kernel<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(d + 1, depth, nodes);
}

void count_nodes(int fanout, int depth, int* nodes) { count_nodes_kernel<<<1, fanout>>>(0, depth, nodes); }
