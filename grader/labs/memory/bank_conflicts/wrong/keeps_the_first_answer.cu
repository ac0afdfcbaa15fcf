// A cheat: the product of the first call of a size is kept, and given again for the next one.
// rejected-by: correctness.all answers are computed anew, large ones too
// because: 'product_again' is wrong in
#include <cstddef>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__global__ void give_again(const float* kept, float* out, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < count) out[i] = kept[i];
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  static float* kept = nullptr;
  static int known = 0;
  const std::size_t bytes = sizeof(float) * kTile * kTile * count;
  if (count != known) {
    cudaFree(kept);
    cudaMalloc(&kept, bytes);
    right_multiply_transposed(a, b, kept, count);
    known = count;
  }
  const std::size_t floats = bytes / sizeof(float);
  if (floats > 0) give_again<<<(floats + 255) / 256, 256>>>(kept, c, floats);
}
