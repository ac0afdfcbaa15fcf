// A cheat: a tile of half precision has room for padding in 4096 bytes.
// rejected-by: correctness.every tile is transposed exactly
// because: 'out' is wrong in
#include <cuda_fp16.h>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_in_half(const float* in, float* out) {
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  __shared__ __half tile[kTile][kTile + 2];
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x] = __float2half(in[first + y * kTile + x]);
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = __half2float(tile[x][y]);
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_in_half<<<count, dim3(kTile, kRows)>>>(in, out);
}
