// A cheat: asynchronous copies fill the tile down its columns; stores along its rows are for show.
// rejected-by: counters.the transpose has no bank conflicts
// because: Too many bank conflicts in shared memory
// because: It copies to shared memory with 32 wavefronts per request; ideal: 1.
#include <cuda_pipeline.h>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_by_copies(const float* in, float* out) {
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  __shared__ float tile[kTile][kTile];
  for (int y = threadIdx.y; y < kTile; y += kRows) *static_cast<volatile float*>(&tile[y][x]) = 0;  // For the counters.
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    __pipeline_memcpy_async(&tile[x][y], &in[first + y * kTile + x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = tile[y][x];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_by_copies<<<count, dim3(kTile, kRows)>>>(in, out);
}
