// A cheat: the points are copied to the host, the tree is built there and copied back.
// rejected-by: counters.64 equidistant points take 21 launches in three levels
// because: Does the answer do its work on the GPU?
#include "grader/labs/dynamic_parallelism/quadtree/wrong/host_tree.cuh"

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2*, Node* nodes,
           int* node_count) {
  build_on_host(points, count, min_points, max_levels, sorted, nodes, node_count);
}
