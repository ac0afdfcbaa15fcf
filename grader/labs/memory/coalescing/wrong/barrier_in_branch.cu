// The barrier stands in a branch that threads beyond the edge do not take.
// rejected-by: correctness.the transpose is exact where the edge cuts a tile
// because: barrier_in_branch.cu:
// because: __syncthreads() must be reached by all threads
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows) {
    if (row + k < rows && col < cols) {
      tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * cols + col];
      __syncthreads();
    }
  }
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (out_row + k < cols && out_col < rows) out[(out_row + k) * rows + out_col] = tile[threadIdx.x][threadIdx.y + k];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
