// Counts the levels below the root only.
// rejected-by: correctness.the number of levels is that of the tree
// because: predict_levels(8, 1) returned 3, but it is 4
#include "quadtree.h"

#define predict_levels right_predict_levels
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef predict_levels

int predict_levels(int side, int min_points) { return right_predict_levels(side, min_points) - 1; }
