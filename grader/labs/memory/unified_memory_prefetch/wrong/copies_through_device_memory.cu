// Explicit copies of managed memory: the copy engine faults instead of the kernel.
// rejected-by: counters.the kernel that adds has no page fault
// because: comes behind the last kernel
#include "unified_memory_prefetch.h"
#define add right_add
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  float *a = nullptr, *b = nullptr;
  WB_CHECK(cudaMalloc(&a, bytes));
  WB_CHECK(cudaMalloc(&b, bytes));
  WB_CHECK(cudaMemcpy(a, x, bytes, cudaMemcpyDefault));
  WB_CHECK(cudaMemcpy(b, y, bytes, cudaMemcpyDefault));
  add_kernel<<<blocks_for(count), kThreads>>>(a, b, count);
  WB_CHECK(cudaMemcpy(y, b, bytes, cudaMemcpyDefault));
  WB_CHECK(cudaFree(a));
  WB_CHECK(cudaFree(b));
}
