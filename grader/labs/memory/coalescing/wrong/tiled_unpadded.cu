// The tile has 32 columns, so each of its columns lies in one bank.
// rejected-by: counters.the transpose has no bank conflicts in its tile
// because: tiled_unpadded.cu:
// because: 32 wavefronts per request; ideal: 1
// because: 32-way bank conflict
// because: pad each row of the tile
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (row + k < rows && col < cols) tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * cols + col];
  __syncthreads();
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
