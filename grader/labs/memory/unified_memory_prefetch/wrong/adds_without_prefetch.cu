// The kernel waits for each page of x and y.
// rejected-by: counters.the kernel that adds has no page fault
// because: Too many page faults of the GPU
// because: The kernel that faulted most: add_kernel
// because: cudaMemPrefetchAsync
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, nullptr));
}
