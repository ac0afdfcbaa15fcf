// A cheat: columns of a tile without padding are read by atomic operations; loads along its rows are for show.
// rejected-by: counters.the transpose has no bank conflicts in its tile
// because: Too many bank conflicts in shared memory
// because: It does atomic operations on shared memory with 32 wavefronts per request; ideal: 1.
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__global__ void tiled(const float* in, float* out, int rows, int cols) {
  __shared__ unsigned tile[32][32];
  const int x = threadIdx.x, col = blockIdx.x * 32, row = blockIdx.y * 32;
  for (int y = threadIdx.y; y < 32; y += 8)
    if (row + y < rows && col + x < cols) tile[y][x] = __float_as_uint(in[(row + y) * cols + col + x]);
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    *static_cast<volatile unsigned*>(&tile[y][x]);  // For the counters.
    if (col + y < cols && row + x < rows) out[(col + y) * rows + row + x] = __uint_as_float(atomicOr(&tile[x][y], 0u));
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  tiled<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
