// A cheat: the result is known beforehand, so the host writes it, and a kernel runs for show.
// rejected-by: correctness.filling and adding is right for every size
// because: The host has written the right value
#include "unified_memory_prefetch.h"
#define fill_and_add right_fill_and_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill_and_add

__global__ void nothing() {}

void fill_and_add(float* x, float* y, int count) {
  if (count > 1000000) return right_fill_and_add(x, y, count);
  for (int i = 0; i < count; ++i) x[i] = i % 1024, y[i] = x[i] + 1;
  nothing<<<1, 1>>>();
}
