// A cheat: the parent visits, and the children that it launches do nothing.
// rejected-by: counters.with the limit raised no launch is refused
// because: A child wrote nothing
#include "dynamic_parallelism.h"

#define visit_by_children right_visit_by_children
#define visit_by_children_kernel right_visit_by_children_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_by_children
#undef visit_by_children_kernel

__global__ void nothing() {}

__global__ void visit_by_children_kernel(int count, int* visits) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  visits[i] += 1;
  nothing<<<1, 1>>>();
}

void visit_by_children(int count, int* visits) {
  std::size_t limit = 0;
  WB_CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  if (limit < static_cast<std::size_t>(count))
    WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count));
  if (count > 0) visit_by_children_kernel<<<blocks_for(count), kThreads>>>(count, visits);
}
