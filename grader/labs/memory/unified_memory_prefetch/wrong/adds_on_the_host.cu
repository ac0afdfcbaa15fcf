// A cheat: managed memory lets the host do the work.
// rejected-by: correctness.the sum is right for every size
// because: The host has written the right value
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  for (int i = 0; i < count; ++i) y[i] += x[i];
}
