// Grids that run at the same time add to the same number without an atomic operation.
// rejected-by: correctness.the tree has all its grids at each depth
// because: atomic additions
#include "dynamic_parallelism.h"

#define count_nodes right_count_nodes
#define count_nodes_kernel right_count_nodes_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef count_nodes
#undef count_nodes_kernel

__global__ void count_nodes_kernel(int d, int depth, int* nodes) {
  if (threadIdx.x == 0) nodes[d] += 1;
  if (d < depth) count_nodes_kernel<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(d + 1, depth, nodes);
}

void count_nodes(int fanout, int depth, int* nodes) { count_nodes_kernel<<<1, fanout>>>(0, depth, nodes); }
