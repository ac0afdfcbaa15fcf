// A cheat: every element goes into a tile and comes out where it was, without a conflict; then it is scattered.
// rejected-by: counters.the transpose has no bank conflicts in its tile
// because: Too many bytes moved by global stores
// because: Nothing is free of conflicts that does not change the order
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__global__ void scatter(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[8][32];
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  volatile float* own = &tile[threadIdx.y][threadIdx.x];
  if (row >= rows || col >= cols) return;
  *own = in[row * cols + col];
  out[col * rows + row] = *own;
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  scatter<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
