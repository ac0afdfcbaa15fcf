// One block walks through the arrays: one of 132 multiprocessors works.
// rejected-by: time.the sum is as fast as the reference
// because: Too slow
#include "vector_add.h"

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) c[i] = a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) { vector_add_kernel<<<1, 256>>>(a, b, c, count); }
