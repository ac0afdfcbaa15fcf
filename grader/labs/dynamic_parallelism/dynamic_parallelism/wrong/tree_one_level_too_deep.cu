// The last depth launches children too: <= in place of <.
// rejected-by: correctness.the tree has all its grids at each depth
// because: in kernel count_nodes_kernel
// because: 0 bytes after the
#include "dynamic_parallelism.h"

#define count_nodes right_count_nodes
#define count_nodes_kernel right_count_nodes_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef count_nodes
#undef count_nodes_kernel

__global__ void count_nodes_kernel(int d, int depth, int* nodes) {
  if (threadIdx.x == 0) atomicAdd(&nodes[d], 1);
  if (d <= depth) count_nodes_kernel<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(d + 1, depth, nodes);
}

void count_nodes(int fanout, int depth, int* nodes) { count_nodes_kernel<<<1, fanout>>>(0, depth, nodes); }
