// Names a file of the grader as its source, to see its lines in messages.
// ends: failed
// because: out_of_bounds
// suspicion: line_directive
#include "vector_add.h"

__global__ void outside(float* c) {
#line 1 "@CANARY@"
  c[1 << 28] = 1;
}

void vector_add(const float*, const float*, float* c, int) { outside<<<1, 1>>>(c); }
