// A cheat: there is no kernel at all.
// rejected-by: correctness.fill writes every element of every size
// because: The host has written the right value
#include "unified_memory_prefetch.h"
#define fill right_fill
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill

void fill(float* x, int count) {
  for (int i = 0; i < count; ++i) x[i] = i % 1024;
}
