// Forgets that launches of one block into the NULL stream wait for each other.
// rejected-by: correctness.the number of children at once is what runs
// because: predict_children_at_once(1024, 64) returned 1024, but it is 16
#include "bezier.h"

#define predict_children_at_once right_predict_children_at_once
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef predict_children_at_once

int predict_children_at_once(int curves, int) { return curves; }
