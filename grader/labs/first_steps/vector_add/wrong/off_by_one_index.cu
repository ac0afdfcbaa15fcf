// Thread i adds element i + 1: the first is left out, and the last is beyond the end.
// rejected-by: correctness.arrays of every size are added exactly
// because: which lies in no allocation
#include "vector_add.h"

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i + 1] = a[i + 1] + b[i + 1];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  const int blocks = (count + 255) / 256;
  if (blocks > 0) vector_add_kernel<<<blocks, 256>>>(a, b, c, count);
}
