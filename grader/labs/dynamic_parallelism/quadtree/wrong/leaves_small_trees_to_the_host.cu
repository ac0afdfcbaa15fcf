// A cheat: trees of few points are built on the host; counters are looked at for other numbers of points.
// rejected-by: correctness.any points give a right tree
// because: copied data to the host
#include "grader/labs/dynamic_parallelism/quadtree/wrong/host_tree.cuh"

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  if (count > 1000) return right_build(points, count, min_points, max_levels, sorted, scratch, nodes, node_count);
  build_on_host(points, count, min_points, max_levels, sorted, nodes, node_count);
}
