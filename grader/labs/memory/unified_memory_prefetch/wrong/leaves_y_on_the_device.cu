// The host brings y back fault by fault.
// rejected-by: counters.what comes back is y, before the host asks for it
// because: Too many page faults of the CPU
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, nullptr));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
}
