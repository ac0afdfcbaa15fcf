// All blocks use the beginning of scratch[], though they run at the same time.
// rejected-by: correctness.equidistant points give the known trees
// because: must not share a part of scratch
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

__global__ void build_kernel(Tree tree, int first, int level) {
  Node& node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points || level == tree.max_levels) return;
  __shared__ int starts[5];
  split_block(tree.points + node.first, tree.scratch, node.count, node.x, node.y, node.side, starts);
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
