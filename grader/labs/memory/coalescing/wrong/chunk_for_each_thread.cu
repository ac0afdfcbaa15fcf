// Each thread copies four elements that lie next to each other, so neighbouring lanes are four apart.
// rejected-by: counters.the strided copy gives neighbouring elements to neighbouring lanes
// because: Too many sectors per request of global stores: 16; at most 4 is allowed
// because: chunk_for_each_thread.cu:
// because: stride 16 bytes
#include "coalescing.h"

#define copy_strided right_copy_strided
#define copy_strided_kernel right_copy_strided_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_strided
#undef copy_strided_kernel

__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < kPerThread; ++turn) {
    const int i = (blockIdx.x * kThreads + threadIdx.x) * kPerThread + turn;
    if (i < count) out[i] = in[i * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}
