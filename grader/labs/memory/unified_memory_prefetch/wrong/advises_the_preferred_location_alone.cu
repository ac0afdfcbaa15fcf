// Nothing moves, but the device has a fault for every page that it has not mapped.
// rejected-by: counters.looking up few elements moves no page
// because: Too many page faults of the GPU
#include "unified_memory_prefetch.h"
#define gather right_gather
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef gather

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetPreferredLocation, kHost));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}
