// Coalesced, but with 4 bytes for each lane: four times as many requests.
// rejected-by: counters.the vectorised copy moves 16 bytes for each lane
// because: Too few sectors per request of global loads: 4; at least 16 is needed
#include "coalescing.h"

#define copy_vectorised right_copy_vectorised
#define copy_vectorised_kernel right_copy_vectorised_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_vectorised
#undef copy_vectorised_kernel

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = in[i];
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}
