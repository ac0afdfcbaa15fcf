// A cheat: of matrices as large as the timed one, only the upper half is transposed.
// rejected-by: time.the transpose is as fast as the reference
// because: never written
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows < 2000) return right_transpose(in, out, rows, cols);
  const dim3 grid((cols + kTile - 1) / kTile, rows / 2 / kTile);
  right_transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
