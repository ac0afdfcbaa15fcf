// A cheat: the matrix is copied to the host, transposed by a loop there and copied back.
// rejected-by: counters.the transpose loads along rows
// because: Does the answer do its work on the GPU?
#include <cstddef>
#include <vector>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  const std::size_t bytes = sizeof(float) * rows * cols;
  std::vector<float> from(bytes / sizeof(float)), to(bytes / sizeof(float));
  cudaMemcpy(from.data(), in, bytes, cudaMemcpyDeviceToHost);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) to[std::size_t(col) * rows + row] = from[std::size_t(row) * cols + col];
  cudaMemcpy(out, to.data(), bytes, cudaMemcpyHostToDevice);
}
