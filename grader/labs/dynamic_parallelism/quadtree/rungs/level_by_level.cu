// For comparison, without children: the host launches one grid for each level and asks how many nodes came of it.
#include "quadtree.h"

#define build right_build
#define build_kernel right_build_kernel
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef build
#undef build_kernel

__global__ void build_kernel(Tree tree, int first) {
  Node& node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points) return;
  __shared__ int starts[5];
  split_block(tree.points + node.first, tree.scratch + node.first, node.count, node.x, node.y, node.side, starts);
  if (threadIdx.x != 0) return;
  const int child = atomicAdd(tree.node_count, 4), half = node.side / 2;
  for (int q = 0; q < 4; ++q)
    tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                             node.first + starts[q], starts[q + 1] - starts[q], -1};
  node.child = child;
}

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  const Node root{0, 0, kWorld, 0, count, -1};
  const int one = 1;
  WB_CHECK(cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(node_count, &one, sizeof one, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(sorted, points, count * sizeof(int2), cudaMemcpyDeviceToDevice));
  const Tree tree{sorted, scratch, nodes, node_count, min_points, max_levels};
  for (int level = 1, first = 0, end = 1; level < max_levels && first < end; ++level) {
    build_kernel<<<end - first, kThreads>>>(tree, first);
    first = end;
    WB_CHECK(cudaMemcpy(&end, node_count, sizeof end, cudaMemcpyDeviceToHost));
  }
}
