// Grids of a fixed size with several rows a thread; errors are peeked at first; a thread of a tree launches in a loop.
#include <algorithm>

#include "dynamic_parallelism.h"

#define sum_rows right_sum_rows
#define sum_rows_kernel right_sum_rows_kernel
#define visit_all right_visit_all
#define visit_all_kernel right_visit_all_kernel
#define count_nodes right_count_nodes
#define count_nodes_kernel right_count_nodes_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef sum_rows
#undef sum_rows_kernel
#undef visit_all
#undef visit_all_kernel
#undef count_nodes
#undef count_nodes_kernel

__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x)
    sum_one_row(values, offsets, row, sums);
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows > 0) sum_rows_kernel<<<std::min(blocks_for(rows), 264), kThreads>>>(values, offsets, rows, sums);
}

__device__ void visit_here(int i, int* visits, int* refused) {
  visits[i] = 1;
  atomicAdd(refused, 1);
}

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  visit<<<1, 1>>>(i, visits);
  if (cudaPeekAtLastError() == cudaSuccess) return;
  cudaGetLastError();
  visit_here(i, visits, refused);
}

void visit_all(int count, int* visits, int* refused) {
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}

__global__ void count_nodes_kernel(int d, int depth, int fanout, int* nodes) {
  atomicAdd(nodes + d, 1);
  if (d == depth) return;
  for (int child = 0; child < fanout; ++child) count_nodes_kernel<<<1, 1>>>(d + 1, depth, fanout, nodes);
}

void count_nodes(int fanout, int depth, int* nodes) { count_nodes_kernel<<<1, 1>>>(0, depth, fanout, nodes); }
