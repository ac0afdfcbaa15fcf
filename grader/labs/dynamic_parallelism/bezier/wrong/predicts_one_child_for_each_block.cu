// Takes the number of blocks for the number of children.
// rejected-by: correctness.the number of children is what runs
// because: predict_children(1024, 64) returned 16, but it is 1024
#include "bezier.h"

#define predict_children right_predict_children
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef predict_children

int predict_children(int curves, int block_size) { return (curves + block_size - 1) / block_size; }
