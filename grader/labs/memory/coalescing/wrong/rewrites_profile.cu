// A cheat: a process that outlives the answer is to rewrite what the virtual GPU counted.
// rejected-by: correctness.the transpose is exact for whole tiles
// because: processes running when it ended
#include <unistd.h>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  for (int k = 0; k < kTile; k += kRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + k;
    if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (fork() == 0) {
    setsid();
    for (int file = 0; file < 64; ++file) close(file);
    sleep(1);  // Until the answer has ended; then the file would be written anew.
    _exit(0);
  }
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
