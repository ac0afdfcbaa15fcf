// A cheat: the product of the first call of a size is kept, and given again for the next one.
// rejected-by: correctness.all answers are computed anew, large ones too
// because: 'product_again' is wrong in
#include <cstddef>

#include "grader/wrong/bank_conflicts/right_except_product.cuh"

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
  cudaMemcpy(c, kept, bytes, cudaMemcpyDeviceToDevice);
}
