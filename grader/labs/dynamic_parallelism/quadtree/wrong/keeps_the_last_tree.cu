// A cheat: a tree over as many points as the last one is taken to be the same.
// rejected-by: correctness.every tree is built anew, large ones too
// because: does not hold the points that were given
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  static int known = -1;
  if (count == known) return;
  known = count;
  right_build(points, count, min_points, max_levels, sorted, scratch, nodes, node_count);
}
