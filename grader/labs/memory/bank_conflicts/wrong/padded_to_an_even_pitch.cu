// Rows of 34 words: lanes 16 apart still share a bank.
// rejected-by: counters.the transpose has no bank conflicts
// because: 2-way bank conflict
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_tiles_kernel(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 2];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = tile[x][y];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}
