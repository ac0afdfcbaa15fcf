// Multiplies by b, not by its transpose: that would be free of conflicts without any work.
// rejected-by: correctness.every product of tiles is exact
// because: 'c' is wrong in
#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__global__ void multiply_transposed_kernel(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < kTile; row += kRows) {
    a_tile[row][x] = a[first + row * kTile + x];
    b_tile[row][x] = b[first + row * kTile + x];
  }
  __syncthreads();
  float sums[kTile / kRows] = {};
  for (int k = 0; k < kTile; ++k) {
    const float of_b = b_tile[k][x];
    for (int i = 0; i < kTile / kRows; ++i) sums[i] += a_tile[y + i * kRows][k] * of_b;
  }
  for (int i = 0; i < kTile / kRows; ++i) c[first + (y + i * kRows) * kTile + x] = sums[i];
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_transposed_kernel<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
