// Copies whole float4s only: up to three floats at the end are left out.
// rejected-by: correctness.the vectorised copy copies every element
// because: never written
#include "coalescing.h"

#define copy_vectorised right_copy_vectorised
#define copy_vectorised_kernel right_copy_vectorised_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_vectorised
#undef copy_vectorised_kernel

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}
