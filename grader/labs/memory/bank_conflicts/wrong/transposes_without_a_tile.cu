// Right, but through global memory alone: a warp stores down a column.
// rejected-by: counters.the transpose has no bank conflicts
// because: This limit counts where tiles are moved along rows on both sides
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_tiles_kernel(const float* in, float* out) {
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + x * kTile + y] = in[first + y * kTile + x];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}
