// A node is split by one thread, which walks through all its points.
// rejected-by: time.the tree is built as fast as by the reference
// because: Too slow
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

__global__ void build_kernel(Tree tree, int first, int level) {
  Node& node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points || level == tree.max_levels) return;
  int next[4] = {}, starts[5] = {};
  int2 *points = tree.points + node.first, *scratch = tree.scratch + node.first;
  for (int i = 0; i < node.count; ++i) ++next[quadrant_of(points[i], node.x, node.y, node.side)];
  for (int q = 0; q < 4; ++q) {
    starts[q + 1] = starts[q] + next[q];
    next[q] = starts[q];
  }
  for (int i = 0; i < node.count; ++i) scratch[next[quadrant_of(points[i], node.x, node.y, node.side)]++] = points[i];
  for (int i = 0; i < node.count; ++i) points[i] = scratch[i];
  const int child = atomicAdd(tree.node_count, 4), half = node.side / 2;
  for (int q = 0; q < 4; ++q)
    tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                             node.first + starts[q], starts[q + 1] - starts[q], -1};
  node.child = child;
  build_kernel<<<4, 1, 0, cudaStreamFireAndForget>>>(tree, child, level + 1);
}

constexpr int kBlockSize = 1;
#include "grader/labs/dynamic_parallelism/quadtree/wrong/host_part.cuh"
