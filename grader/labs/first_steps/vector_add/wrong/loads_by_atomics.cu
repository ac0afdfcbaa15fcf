// A cheat: lanes 4 elements apart read by atomic operations that change nothing; loads for show keep the mean low.
// rejected-by: counters.loads and stores move whole sectors
// because: Too many
// because: It does atomic operations on global memory with 16 sectors per request; ideal: 4.
#include "vector_add.h"

__device__ float read(const float* from) {
  return __uint_as_float(atomicOr(reinterpret_cast<unsigned*>(const_cast<float*>(from)), 0u));
}

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int first = 4 * (blockIdx.x * 256 + threadIdx.x);
  if (first / 4 < count) *reinterpret_cast<volatile const float*>(a + first / 4);  // For the counters.
  for (int i = first; i < first + 4 && i < count; ++i) c[i] = read(a + i) + read(b + i);
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) add<<<(count + 1023) / 1024, 256>>>(a, b, c, count);
}
