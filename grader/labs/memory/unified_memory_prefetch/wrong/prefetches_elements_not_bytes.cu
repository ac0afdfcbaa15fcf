// The size of a prefetch is in bytes: three quarters of both arrays stay with the host.
// rejected-by: counters.the kernel that adds has no page fault
// because: Too many page faults of the GPU
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemPrefetchAsync(x, count, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, count, kDevice, 0, nullptr));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, nullptr));
}
