// The offset is added to the output's index, not to the input's.
// rejected-by: correctness.the offset copy copies from the middle of an array
// because: offset_on_the_wrong_side.cu:
#include "coalescing.h"

#define copy_offset right_copy_offset
#define copy_offset_kernel right_copy_offset_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_offset
#undef copy_offset_kernel

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i + offset] = in[i];
}

void copy_offset(const float* in, float* out, int count, int offset) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) copy_offset_kernel<<<blocks, kThreads>>>(in, out, count, offset);
}
