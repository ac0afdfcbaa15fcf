// Numbers that are too small for the usual form of a float count as zero, as with nvcc -ftz=true.
// rejected-by: correctness.tiny, huge and infinite numbers are added as float adds them
// because: 'c' is wrong
#include "vector_add.h"

__device__ float sum(float a, float b) {
  float c;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < count) c[i] = sum(a[i], b[i]);
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) add<<<(count + 255) / 256, 256>>>(a, b, c, count);
}
