// There is no leaf: every square is split, so that the recursion has no end.
// rejected-by: correctness.any points give a right tree
// because: launched itself
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

__global__ void build_kernel(Tree tree, int first, int level) {
  Node& node = tree.nodes[first + blockIdx.x];
  __shared__ int starts[5];
  split_block(tree.points + node.first, tree.scratch + node.first, node.count, node.x, node.y, node.side, starts);
  if (threadIdx.x != 0) return;
  const int child = atomicAdd(tree.node_count, 4), half = node.side / 2;
  for (int q = 0; q < 4; ++q)
    tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                             node.first + starts[q], starts[q + 1] - starts[q], -1};
  node.child = child;
  build_kernel<<<4, kThreads, 0, cudaStreamFireAndForget>>>(tree, child, level + 1);
}

constexpr int kBlockSize = kThreads;
#include "grader/labs/dynamic_parallelism/quadtree/wrong/host_part.cuh"
