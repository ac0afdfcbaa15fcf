// The grid is rounded down.
// rejected-by: correctness.the sum is right for every size
// because: sum
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count < kThreads) return;
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, nullptr));
  add_kernel<<<count / kThreads, kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kHost, 0, nullptr));
}
