// The last block's threads do not check whether their element exists.
// rejected-by: correctness.arrays of every size are added exactly
// because: which lies in no allocation
// because: no_edge_guard.cu:
#include "vector_add.h"

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  const int blocks = (count + 255) / 256;
  if (blocks > 0) vector_add_kernel<<<blocks, 256>>>(a, b, c, count);
}
