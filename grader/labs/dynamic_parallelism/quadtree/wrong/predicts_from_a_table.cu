// A cheat: the numbers of levels that the handout asks for are known by heart.
// rejected-by: correctness.the number of levels is that of the tree
// because: returned 4
#include "quadtree.h"

#define predict_levels right_predict_levels
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef predict_levels

int predict_levels(int side, int min_points) {
  if (side <= 8) return right_predict_levels(side, min_points);
  return 4;
}
