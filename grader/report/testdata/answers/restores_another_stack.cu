// Gives back stack memory that it has not taken, which is an illegal instruction.
#include "vector_add.h"

__global__ void add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("{ .reg .u64 top; stacksave.u64 top; add.u64 top, top, 4096; stackrestore.u64 top; }" ::: "memory");
  if (i < count) c[i] = a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) add_kernel<<<(count + 255) / 256, 256>>>(a, b, c, count);
}
