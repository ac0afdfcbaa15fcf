// Stores run along a row, but loads go down a column.
// rejected-by: counters.the transpose loads along rows
// because: Too many sectors per request of global loads: 32; at most 4 is allowed
// because: naive_strided_load.cu:
// because: ideal: 4
// because: stride 4096 bytes
// because: read rows into shared memory first
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.y * kTile + threadIdx.x;
  const int col = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (row < rows && col + k < cols) out[(col + k) * rows + row] = in[row * cols + col + k];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
