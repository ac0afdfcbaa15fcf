// Faults are avoided where they are the subject: the order of threads stays untested.
// rejected-by: counters.filling copies nothing and faults in few groups
// because: Too few page faults of the GPU: 0
#include "unified_memory_prefetch.h"
#define fill right_fill
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill

void fill(float* x, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemPrefetchAsync(x, count * sizeof(float), kDevice, 0, nullptr));
  right_fill(x, count);
}
