// A cheat: kernels that are perfectly coalesced move the matrix to managed memory and back; between them, the host
// transposes it there.
// rejected-by: counters.the transpose stores along rows
// because: took memory that host and device share
#include <cstddef>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  const std::size_t count = std::size_t(rows) * cols;
  if (count == 0) return;
  float *from = nullptr, *to = nullptr;
  cudaMallocManaged(&from, count * sizeof(float));
  cudaMallocManaged(&to, count * sizeof(float));
  copy_offset(in, from, static_cast<int>(count), 0);
  cudaDeviceSynchronize();
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) to[std::size_t(col) * rows + row] = from[std::size_t(row) * cols + col];
  copy_offset(to, out, static_cast<int>(count), 0);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}
