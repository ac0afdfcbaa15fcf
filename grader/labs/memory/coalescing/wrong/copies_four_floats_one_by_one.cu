// Each thread copies four neighbouring floats with four loads: each touches 16 sectors and takes a quarter of them.
// rejected-by: counters.the vectorised copy moves 16 bytes for each lane
// because: Too many sectors of global loads, relative to the ideal: 4
#include "coalescing.h"

#define copy_vectorised right_copy_vectorised
#define copy_vectorised_kernel right_copy_vectorised_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_vectorised
#undef copy_vectorised_kernel

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  const int first = 4 * (blockIdx.x * kThreads + threadIdx.x);
  for (int i = first; i < min(first + 4, count); ++i) out[i] = in[i];
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}
