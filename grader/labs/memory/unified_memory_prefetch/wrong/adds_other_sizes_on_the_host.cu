// A cheat: managed memory lets the host add up what is not counted, and a kernel runs for show.
// rejected-by: correctness.the sum is right for every size
// because: The host has written the right value
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

__global__ void nothing() {}

void add(const float* x, float* y, int count) {
  if (count == 4 << 18) return right_add(x, y, count);
  for (int i = 0; i < count; ++i) y[i] += x[i];
  nothing<<<1, 1>>>();
}
