// A cheat: shared memory, free of conflicts, is for show; each warp reads all of b along rows from global memory.
// rejected-by: counters.the product loads and stores along rows
// because: Too many bytes moved by global loads
#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__global__ void multiply_by_shuffles(const float* a, const float* b, float* c) {
  __shared__ float tile[kTile][kTile];
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) *static_cast<volatile float*>(&tile[y][x]) = 0;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const float of_a = a[first + y * kTile + x];
    float of_c = 0;
    for (int row = 0; row < kTile; ++row) {
      float sum = of_a * b[first + row * kTile + x];
      for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
      if (x == row) of_c = sum;
    }
    c[first + y * kTile + x] = of_c;
  }
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_by_shuffles<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
