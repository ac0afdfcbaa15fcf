// Rows of 33 words, read as float4: only every fourth row begins at a multiple of 16 bytes.
// rejected-by: correctness.every product of tiles is exact
// because: misaligned
#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__global__ void multiply_transposed_kernel(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile + 1];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < kTile; row += kRows) {
    a_tile[row][x] = a[first + row * kTile + x];
    b_tile[row][x] = b[first + row * kTile + x];
  }
  __syncthreads();
  float sums[kTile / kRows] = {};
  for (int k = 0; k < kChunks; ++k) {
    const float4 of_b = *reinterpret_cast<const float4*>(&b_tile[x][4 * k]);
    for (int i = 0; i < kTile / kRows; ++i)
      sums[i] += dot(*reinterpret_cast<const float4*>(&a_tile[y + i * kRows][4 * k]), of_b);
  }
  for (int i = 0; i < kTile / kRows; ++i) c[first + (y + i * kRows) * kTile + x] = sums[i];
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_transposed_kernel<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
