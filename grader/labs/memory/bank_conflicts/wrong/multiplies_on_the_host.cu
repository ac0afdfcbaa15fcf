// A cheat: tiles are copied to the host, multiplied by loops there and copied back.
// rejected-by: counters.the product loads and stores along rows
// because: Does the answer do its work on the GPU?
#include <cstddef>
#include <vector>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  const std::size_t size = std::size_t(count) * kTile * kTile;
  std::vector<float> x(size), y(size), z(size);
  cudaMemcpy(x.data(), a, size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(y.data(), b, size * sizeof(float), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t row = i / kTile * kTile, other = i / (kTile * kTile) * (kTile * kTile) + i % kTile * kTile;
    for (int k = 0; k < kTile; ++k) z[i] += x[row + k] * y[other + k];
  }
  cudaMemcpy(c, z.data(), size * sizeof(float), cudaMemcpyHostToDevice);
}
