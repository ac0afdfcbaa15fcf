// A cheat: both factors are cut to the 11 bits that tensor cores multiply; sums are floats, as there.
// rejected-by: correctness.every product of tiles is exact
// because: 'c' is wrong in
#include "grader/labs/memory/bank_conflicts/wrong/right_except_product.cuh"

__device__ float short_of(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }

__global__ void multiply_short(const float* a, const float* b, float* c) {
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    float sum = 0;
    for (int k = 0; k < kTile; ++k) sum += short_of(a[first + y * kTile + k]) * short_of(b[first + x * kTile + k]);
    c[first + y * kTile + x] = sum;
  }
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_short<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
