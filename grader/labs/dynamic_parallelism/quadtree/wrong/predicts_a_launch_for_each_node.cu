// Takes each node but the root for a launch of its own.
// rejected-by: correctness.the number of launches is that of the tree
// because: predict_launches(8, 1) returned 84, but it is 21
#include "quadtree.h"

#define predict_launches right_predict_launches
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef predict_launches

int predict_launches(int side, int min_points) { return 4 * right_predict_launches(side, min_points); }
