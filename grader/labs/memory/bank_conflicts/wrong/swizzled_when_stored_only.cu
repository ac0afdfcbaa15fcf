// The swizzle is used where the tile is filled, and forgotten where it is read.
// rejected-by: correctness.every tile is transposed exactly
// because: 'out' is wrong in
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_tiles_kernel(const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x ^ y] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = tile[x][y];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}
