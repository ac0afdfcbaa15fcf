// Each block has one thread, so 31 of the 32 lanes of its warp have nothing to do.
// rejected-by: counters.all lanes of a warp work
// because: Too few active threads per instruction: 1; at least 31 is needed
#include "vector_add.h"

__global__ void vector_add_kernel(const float* a, const float* b, float* c) {
  const int i = blockIdx.x;
  c[i] = a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) vector_add_kernel<<<count, 1>>>(a, b, c);
}
