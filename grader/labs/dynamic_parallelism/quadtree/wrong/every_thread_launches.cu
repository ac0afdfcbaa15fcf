// All threads of the block launch the grid for the four children, not one.
// rejected-by: counters.64 equidistant points take 21 launches in three levels
// because: every_thread_launches.cu:
// because: which lies in no allocation
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

__global__ void build_kernel(Tree tree, int first, int level) {
  Node& node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points || level == tree.max_levels) return;
  __shared__ int starts[5];
  split_block(tree.points + node.first, tree.scratch + node.first, node.count, node.x, node.y, node.side, starts);
  __shared__ int child;
  const int half = node.side / 2;
  if (threadIdx.x == 0) {
    child = atomicAdd(tree.node_count, 4);
    for (int q = 0; q < 4; ++q)
      tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                               node.first + starts[q], starts[q + 1] - starts[q], -1};
    node.child = child;
  }
  __syncthreads();
  build_kernel<<<4, kThreads, 0, cudaStreamFireAndForget>>>(tree, child, level + 1);
}

constexpr int kBlockSize = kThreads;
#include "grader/labs/dynamic_parallelism/quadtree/wrong/host_part.cuh"
