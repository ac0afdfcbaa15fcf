// The device touches x and y first, with 64 KiB for each warp, so that faults are served together.
#include "unified_memory_prefetch.h"
#define fill_and_add right_fill_and_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill_and_add

__global__ void fill_both_by_warps(float* x, float* y, int count) {
  const int begin = (blockIdx.x * kWarps + threadIdx.x / 32) * kChunk;
  const int end = count - begin < kChunk ? count : begin + kChunk;
  for (int i = begin + threadIdx.x % 32; i < end; i += 32) {
    x[i] = i % 1024;
    y[i] = 1;
  }
}

void fill_and_add(float* x, float* y, int count) {
  if (count == 0) return;
  const int chunks = (count + kChunk - 1) / kChunk;
  fill_both_by_warps<<<(chunks + kWarps - 1) / kWarps, kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
}
