// The tile is filled down its columns: the load from it is free of conflicts now, the store into it is not.
// rejected-by: counters.the transpose has no bank conflicts
// because: It stores shared memory with 32 wavefronts per request
// because: 32-way bank conflict
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_tiles_kernel(const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[x][y] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = tile[y][x];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}
