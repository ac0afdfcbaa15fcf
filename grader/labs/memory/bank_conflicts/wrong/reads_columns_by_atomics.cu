// A cheat: columns of a tile without padding are read by atomic operations; loads along its rows are for show.
// rejected-by: counters.the transpose has no bank conflicts
// because: Too many bank conflicts in shared memory
// because: It does atomic operations on shared memory with 32 wavefronts per request; ideal: 1.
#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_by_atomics(const float* in, float* out) {
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  __shared__ int tile[kTile][kTile];
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x] = __float_as_int(in[first + y * kTile + x]);
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    *static_cast<volatile int*>(&tile[y][x]);  // For the counters.
    out[first + y * kTile + x] = __int_as_float(atomicOr(&tile[x][y], 0));
  }
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_by_atomics<<<count, dim3(kTile, kRows)>>>(in, out);
}
