// The tiles are read without waiting until the block has filled them.
// rejected-by: correctness.every product of tiles is exact
// because: 'c' is wrong in
#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__global__ void multiply_transposed_kernel(const float* a, const float* b, float* c) {
  __shared__ float4 a_tile[kTile][kChunks], b_tile[kTile][kChunks + 1];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x, y = threadIdx.y;
  const int chunk = y * kTile + x;
  a_tile[chunk / kChunks][chunk % kChunks] = reinterpret_cast<const float4*>(a + first)[chunk];
  b_tile[chunk / kChunks][chunk % kChunks] = reinterpret_cast<const float4*>(b + first)[chunk];
  float sums[kTile / kRows] = {};
  for (int k = 0; k < kChunks; ++k) {
    const float4 of_b = b_tile[x][k];
    for (int i = 0; i < kTile / kRows; ++i) sums[i] += dot(a_tile[y + i * kRows][k], of_b);
  }
  for (int i = 0; i < kTile / kRows; ++i) c[first + (y + i * kRows) * kTile + x] = sums[i];
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_transposed_kernel<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
