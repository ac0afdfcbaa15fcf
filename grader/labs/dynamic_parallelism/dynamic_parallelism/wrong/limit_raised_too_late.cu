// The limit is raised behind the parent's launch, which has met the old one.
// rejected-by: counters.with the limit raised no launch is refused
// because: elements were never visited: their launches were refused
#include "dynamic_parallelism.h"

#define visit_by_children right_visit_by_children
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_by_children

void visit_by_children(int count, int* visits) {
  if (count > 0) visit_by_children_kernel<<<blocks_for(count), kThreads>>>(count, visits);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10000));
}
