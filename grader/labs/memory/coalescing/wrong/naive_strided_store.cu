// Loads run along a row, but stores go down a column.
// rejected-by: counters.the transpose stores along rows
// because: Too many sectors per request of global stores: 32; at most 4 is allowed
// because: naive_strided_store.cu:
// because: ideal: 4
// because: stride 2048 bytes
// because: collect a tile in shared memory
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (row + k < rows && col < cols) out[col * rows + row + k] = in[(row + k) * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
