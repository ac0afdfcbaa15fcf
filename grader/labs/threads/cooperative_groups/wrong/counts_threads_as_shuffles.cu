// Predicts a shuffle for each thread of the tile but one.
// rejected-by: correctness.the number of shuffles is predicted
// because: returned 3
#include "cooperative_groups.h"

#define predict_shuffles right_predict_shuffles
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef predict_shuffles

int predict_shuffles(int size) { return size - 1; }
