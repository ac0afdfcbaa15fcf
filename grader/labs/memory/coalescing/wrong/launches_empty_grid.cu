// An empty matrix starts a kernel with 0 blocks, which CUDA refuses.
// rejected-by: correctness.the transpose is exact for one row, one column and nothing
// because: cudaErrorInvalidValue
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  right_transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
