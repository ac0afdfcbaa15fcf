// The limit is set to count, also where it was higher.
// rejected-by: counters.with the limit raised no launch is refused
// because: never lower it
#include "dynamic_parallelism.h"

#define visit_by_children right_visit_by_children
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_by_children

void visit_by_children(int count, int* visits) {
  WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count));
  if (count > 0) visit_by_children_kernel<<<blocks_for(count), kThreads>>>(count, visits);
}
