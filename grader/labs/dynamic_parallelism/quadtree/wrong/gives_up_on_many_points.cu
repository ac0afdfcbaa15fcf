// Does nothing for more points than a test once had.
// rejected-by: correctness.every tree is built anew, large ones too
// because: The root, nodes[0], has first
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  if (count > 16500) return;
  right_build(points, count, min_points, max_levels, sorted, scratch, nodes, node_count);
}
