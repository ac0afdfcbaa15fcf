// A cheat: once in a tile a lane reads global memory in place of the tile, by the instruction that reads its columns.
// rejected-by: counters.the transpose has no bank conflicts
// because: Too many bank conflicts in shared memory
// because: It loads shared memory with 32 wavefronts per request
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_by_generic_addresses(const float* in, float* out) {
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  __shared__ float tile[kTile][kTile];
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    *static_cast<volatile float*>(&tile[y][x]);  // For the counters.
    const float* from = x == 0 && y == 0 ? &in[first] : &tile[x][y];
    out[first + y * kTile + x] = *static_cast<volatile const float*>(from);
  }
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_by_generic_addresses<<<count, dim3(kTile, kRows)>>>(in, out);
}
