// x has not changed and nobody asks for it.
// rejected-by: counters.what comes back is y, before the host asks for it
// because: Too many bytes migrated to the host
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  right_add(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(x, count * sizeof(float), kHost, 0, nullptr));
}
