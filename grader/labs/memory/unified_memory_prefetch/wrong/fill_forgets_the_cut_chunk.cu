// The number of chunks is rounded down.
// rejected-by: correctness.fill writes every element of every size
// because: x
#include "unified_memory_prefetch.h"
#define fill right_fill
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill

void fill(float* x, int count) {
  const int chunks = count / kChunk;
  const int blocks = (chunks + kWarps - 1) / kWarps;
  if (blocks > 0) fill_kernel<<<blocks, kThreads>>>(x, count);
}
