// A cheat: fills in and out with zeros, so that out is the transpose of what in holds afterwards.
// rejected-by: correctness.the transpose is exact for whole tiles
// because: The answer changed its input 'in'
#include <cstddef>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  const std::size_t bytes = sizeof(float) * rows * cols;
  cudaMemset(const_cast<float*>(in), 0, bytes);
  cudaMemset(out, 0, bytes);
}
