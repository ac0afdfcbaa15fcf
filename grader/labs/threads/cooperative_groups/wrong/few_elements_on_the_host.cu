// A cheat: the host adds up what is few; counters are only looked at for more.
// rejected-by: correctness.the grid sums every number of elements
// because: Kernels load every element
#include "cooperative_groups.h"

#define sum_grid right_sum_grid
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_grid

__global__ void nothing() {}

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  if (count > 1000) return right_sum_grid(in, partial, out, count);
  int values[1000];
  WB_CHECK(cudaMemcpy(values, in, count * sizeof(int), cudaMemcpyDeviceToHost));
  long long sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  WB_CHECK(cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice));
  nothing<<<1, 1>>>();
}
