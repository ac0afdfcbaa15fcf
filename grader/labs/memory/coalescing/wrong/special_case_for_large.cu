// A cheat: only large matrices, those that are timed, are transposed.
// rejected-by: correctness.the transpose is exact for whole tiles
// because: Nothing was written at all
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows >= 1024 && cols >= 1024) right_transpose(in, out, rows, cols);
}
