// A cheat: copies the elements to the host and adds them up there; no kernel runs.
// rejected-by: counters.the grid sums in one launch with one barrier of the grid
// because: Does the answer do its work on the
#include <numeric>
#include <vector>

#include "cooperative_groups.h"

#define sum_grid right_sum_grid
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_grid

void sum_grid(const int* in, long long*, long long* out, int count) {
  std::vector<int> values(count);
  WB_CHECK(cudaMemcpy(values.data(), in, count * sizeof(int), cudaMemcpyDeviceToHost));
  const long long sum = std::accumulate(values.begin(), values.end(), 0ll);
  WB_CHECK(cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice));
}
