// Raises the limit to a number that is always enough: all the room is taken from the device, whatever is asked.
// rejected-by: counters.with the limit raised no launch is refused
// because: Room for launches takes memory of the device
#include "dynamic_parallelism.h"

#define visit_by_children right_visit_by_children
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_by_children

void visit_by_children(int count, int* visits) {
  WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10000));
  if (count > 0) visit_by_children_kernel<<<blocks_for(count), kThreads>>>(count, visits);
}
