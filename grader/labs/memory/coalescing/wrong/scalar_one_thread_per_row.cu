// Each thread walks along a row of its own, as a program for a CPU would.
// rejected-by: counters.the transpose loads along rows
// because: Too many sectors per request of global loads: 32
// because: stride 4096 bytes
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  for (int col = 0; col < cols; ++col) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  transpose_kernel<<<(rows + kThreads - 1) / kThreads, kThreads>>>(in, out, rows, cols);
}
