// The prefetches are in a stream that the kernel does not wait for. Where calls are worked on in their order, no page
// faults all the same.
// rejected-by: counters.the kernel that adds has no page fault
// because: Streams do not wait for each other
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, stream));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, stream));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kHost, 0, stream));
}
