// A cheat: one kernel writes the numbers that the tree would count.
// rejected-by: correctness.the tree has all its grids at each depth
// because: Too few levels of launches by kernels
#include "dynamic_parallelism.h"

#define count_nodes right_count_nodes
#define count_nodes_kernel right_count_nodes_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef count_nodes
#undef count_nodes_kernel

__global__ void count_nodes_kernel(int fanout, int depth, int* nodes) {
  for (int d = 0, width = 1; d <= depth; ++d, width *= fanout) nodes[d] = width;
}

void count_nodes(int fanout, int depth, int* nodes) { count_nodes_kernel<<<1, 1>>>(fanout, depth, nodes); }
