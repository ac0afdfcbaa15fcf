// Right, but neighbouring warps wait for the same page.
// rejected-by: counters.filling copies nothing and faults in few groups
// because: Too many page faults of the GPU: 24
// because: The kernel that faulted most: fill_elements
#include "unified_memory_prefetch.h"
#define fill right_fill
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill

__global__ void fill_elements(float* x, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) x[i] = i % 1024;
}

void fill(float* x, int count) {
  if (count > 0) fill_elements<<<blocks_for(count), kThreads>>>(x, count);
}
