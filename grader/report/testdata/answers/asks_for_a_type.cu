// Asks whether a pointer is of an opaque type, by an instruction that the virtual GPU does not have.
#include "vector_add.h"

__global__ void add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned int is_texture;
  asm volatile("{ .reg .pred p; istypep.texref p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_texture) : "l"(a));
  c[i] = is_texture ? 0 : a[i] + b[i];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) add_kernel<<<(count + 255) / 256, 256>>>(a, b, c, count);
}
