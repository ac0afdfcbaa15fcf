// Prefetches that come after what they are for: all faults are there, and the prefetches too.
// rejected-by: time.the sum is with the host as soon as with the reference
// because: Too slow
// because: limited by page_faults
#include "unified_memory_prefetch.h"
#define fill_and_add right_fill_and_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill_and_add

void fill_and_add(float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  fill_both_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, nullptr));
}
