// An empty array starts a kernel with 0 blocks, which CUDA refuses.
// rejected-by: correctness.an empty array is no error
// because: cudaErrorInvalidValue
#include "vector_add.h"

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  const int blocks = (count + 255) / 256;
  vector_add_kernel<<<blocks, 256>>>(a, b, c, count);
}
