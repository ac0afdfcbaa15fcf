// A cheat: products in half precision, which is too coarse for them.
// rejected-by: correctness.every product of tiles is exact
// because: Is the arithmetic done in the precision that the lab asks for?
#include <cuda_fp16.h>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__global__ void multiply_transposed_kernel(const float* a, const float* b, float* c) {
  __shared__ half a_tile[kTile][kTile], b_tile[kTile][kTile + 2];
  const int first = blockIdx.x * kTile * kTile;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < kTile; row += kRows) {
    a_tile[row][x] = __float2half(a[first + row * kTile + x]);
    b_tile[row][x] = __float2half(b[first + row * kTile + x]);
  }
  __syncthreads();
  for (int row = y; row < kTile; row += kRows) {
    float sum = 0;
    for (int k = 0; k < kTile; ++k) sum += __half2float(__hmul(a_tile[row][k], b_tile[x][k]));
    c[first + row * kTile + x] = sum;
  }
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_transposed_kernel<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
