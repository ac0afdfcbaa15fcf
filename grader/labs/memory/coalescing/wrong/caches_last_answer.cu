// A cheat: the answer to the first matrix of a size is kept, and given again for the next one.
// rejected-by: correctness.the transpose computes every answer anew, large ones too
// because: 'second_out' is wrong in
#include <cstddef>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

__global__ void give_again(const float* kept, float* out, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < count) out[i] = kept[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  static float* answer = nullptr;
  static int known_rows = 0, known_cols = 0;
  const std::size_t bytes = sizeof(float) * rows * cols;
  if (rows != known_rows || cols != known_cols) {
    cudaFree(answer);
    cudaMalloc(&answer, bytes);
    right_transpose(in, answer, rows, cols);
    known_rows = rows;
    known_cols = cols;
  }
  const std::size_t floats = bytes / sizeof(float);
  if (floats > 0) give_again<<<(floats + 255) / 256, 256>>>(answer, out, floats);
}
