// Read-only copies are copies: pages still fault and move.
// rejected-by: counters.looking up few elements moves no page
// because: Too many bytes migrated to the device
#include "unified_memory_prefetch.h"
#define gather right_gather
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef gather

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetReadMostly, kDevice));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}
