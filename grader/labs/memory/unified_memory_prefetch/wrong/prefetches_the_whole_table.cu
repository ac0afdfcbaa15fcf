// No page fault, but all of the table goes over the bus for a few floats.
// rejected-by: counters.looking up few elements moves no page
// because: Too many bytes migrated to the device: 4194304
#include "unified_memory_prefetch.h"
#define gather right_gather
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef gather

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemPrefetchAsync(table, table_count * sizeof(float), kDevice, 0, nullptr));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}
