// One element for each thread.
#include "common/cuda/check.cuh"
#include "vector_add.h"

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) vector_add_kernel<<<(count + 255) / 256, 256>>>(a, b, c, count);
  WB_CHECK(cudaGetLastError());
}
