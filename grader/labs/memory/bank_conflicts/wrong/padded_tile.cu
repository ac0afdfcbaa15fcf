// Free of conflicts, but with 32 words of padding, which a swizzle saves.
// rejected-by: counters.the transpose without conflicts needs no padding
// because: Too many bytes of shared memory for each block: 4224; at most 4096
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_tiles_kernel(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = tile[x][y];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}
