// A cheat: the host builds the tree, and kernels that do nothing launch as many grids as it has squares that are split.
// rejected-by: counters.a square that is split launches one grid of four blocks
// because: copied data to the host
#include <vector>

#include "grader/labs/dynamic_parallelism/quadtree/wrong/host_tree.cuh"

namespace {

// As many launches as asked for, each of four blocks: what is left is shared by the children.
__global__ void launches_for_show(const int* child, int node) {
  const int mine = node == 0 ? 0 : node + blockIdx.x;
  if (threadIdx.x != 0 || child[mine] < 0) return;
  launches_for_show<<<4, 128, 0, cudaStreamFireAndForget>>>(child, child[mine]);
}

}  // namespace

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2*, Node* nodes,
           int* node_count) {
  const std::vector<Node> tree = build_on_host(points, count, min_points, max_levels, sorted, nodes, node_count);
  std::vector<int> child;
  for (const Node& node : tree) child.push_back(node.child);
  int* children = nullptr;
  WB_CHECK(cudaMalloc(&children, tree.size() * sizeof(int)));
  WB_CHECK(cudaMemcpy(children, child.data(), tree.size() * sizeof(int), cudaMemcpyHostToDevice));
  launches_for_show<<<1, 128>>>(children, 0);
  WB_CHECK(cudaFree(children));
}
