// The first program that everyone writes: the host fills, and every page goes over the bus and back.
// rejected-by: correctness.filling and adding is right for every size
// because: The host has written the right value
#include "unified_memory_prefetch.h"
#define fill_and_add right_fill_and_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill_and_add

void fill_and_add(float* x, float* y, int count) {
  for (int i = 0; i < count; ++i) {
    x[i] = i % 1024;
    y[i] = 1;
  }
  if (count > 0) add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
}
