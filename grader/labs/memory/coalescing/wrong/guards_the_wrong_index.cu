// The end of the copy is tested on the position in the input, so most of the elements are left out.
// rejected-by: correctness.the strided copy packs every stride-th element
// because: never written
#include "coalescing.h"

#define copy_strided right_copy_strided
#define copy_strided_kernel right_copy_strided_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_strided
#undef copy_strided_kernel

__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < kPerThread; ++turn) {
    const int i = (blockIdx.x * kPerThread + turn) * kThreads + threadIdx.x;
    if (i * stride < count) out[i] = in[i * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}
