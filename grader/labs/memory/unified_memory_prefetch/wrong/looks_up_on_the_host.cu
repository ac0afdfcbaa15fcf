// A cheat: the host looks up what the kernel is asked for, and hands it the result.
// rejected-by: correctness.every element that is asked for is looked up
// because: however few elements there are
#include "unified_memory_prefetch.h"
#define gather right_gather
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef gather

#include <vector>

__global__ void nothing() {}

void gather(const float* table, int, const int* index, float* out, int count) {
  if (count == 0) return;
  std::vector<int> at(count);
  std::vector<float> found(count);
  WB_CHECK(cudaMemcpy(at.data(), index, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) found[i] = table[at[i]];
  WB_CHECK(cudaMemcpy(out, found.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  nothing<<<1, 1>>>();
}
