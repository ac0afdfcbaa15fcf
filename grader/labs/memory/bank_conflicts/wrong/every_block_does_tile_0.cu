// blockIdx.x is forgotten: every block transposes the first tile.
// rejected-by: correctness.every tile is transposed exactly
// because: Only the first 1024 elements were written
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_tiles_kernel(const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x ^ y] = in[y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[y * kTile + x] = tile[x][y ^ x];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}
