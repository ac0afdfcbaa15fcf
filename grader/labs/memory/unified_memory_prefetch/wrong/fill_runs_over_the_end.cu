// The last chunk is taken to be whole.
// rejected-by: correctness.fill writes every element of every size
// because: which lies in no allocation
#include "unified_memory_prefetch.h"
#define fill right_fill
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill

__global__ void fill_whole_chunks(float* x, int count) {
  const int begin = (blockIdx.x * kWarps + threadIdx.x / 32) * kChunk;
  if (begin >= count) return;
  for (int i = begin + threadIdx.x % 32; i < begin + kChunk; i += 32) x[i] = i % 1024;
}

void fill(float* x, int count) {
  const int chunks = (count + kChunk - 1) / kChunk;
  const int blocks = (chunks + kWarps - 1) / kWarps;
  if (blocks > 0) fill_whole_chunks<<<blocks, kThreads>>>(x, count);
}
