// Calls a function of the device through a pointer that is null.
#include "vector_add.h"

using Sum = float (*)(float, float);
__device__ Sum chosen;

__global__ void add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = chosen(a[i], b[i]);
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) add_kernel<<<(count + 255) / 256, 256>>>(a, b, c, count);
}
