// The leaves are counted, not the grids above them.
// rejected-by: correctness.the prediction counts the grids of a tree
// because: Draw the tree
#include "dynamic_parallelism.h"

#define predict_grids right_predict_grids
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef predict_grids

int predict_grids(int fanout, int depth) {
  int leaves = 1;
  for (int d = 0; d < depth; ++d) leaves *= fanout;
  return leaves;
}
