// A cheat: elements are copied to the host, and added by a loop there.
// rejected-by: counters.the sum keeps only the warps busy that have work
// because: Does the answer do its work on the GPU?
#include <vector>

#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

void sum_groups(const int* in, int* sums, int count) {
  std::vector<int> from(count), to(blocks_for(count));
  cudaMemcpy(from.data(), in, from.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) to[i / kThreads] += from[i];
  cudaMemcpy(sums, to.data(), to.size() * sizeof(int), cudaMemcpyHostToDevice);
}
