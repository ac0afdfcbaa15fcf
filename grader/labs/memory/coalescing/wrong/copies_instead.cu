// The matrix is copied, not transposed.
// rejected-by: correctness.the transpose is exact for whole tiles
// because: transpose of what it should be
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (row + k < rows && col < cols) out[(row + k) * cols + col] = in[(row + k) * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
