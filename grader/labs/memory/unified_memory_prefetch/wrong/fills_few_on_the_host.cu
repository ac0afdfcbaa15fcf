// A cheat: few elements are filled by the host, where nobody counts.
// rejected-by: correctness.fill writes every element of every size
// because: The host has written the right value
#include "unified_memory_prefetch.h"
#define fill right_fill
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill

__global__ void nothing() {}

void fill(float* x, int count) {
  if (count > 200000) return right_fill(x, count);
  for (int i = 0; i < count; ++i) x[i] = i % 1024;
  nothing<<<1, 1>>>();
}
