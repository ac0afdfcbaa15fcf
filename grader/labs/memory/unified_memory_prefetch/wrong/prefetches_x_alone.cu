// The kernel reads y before it writes it, and it would fault if it only wrote.
// rejected-by: counters.the kernel that adds has no page fault
// because: Too many page faults of the GPU
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kHost, 0, nullptr));
}
