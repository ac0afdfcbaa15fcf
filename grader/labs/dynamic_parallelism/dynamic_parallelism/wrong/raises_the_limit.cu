// The limit is raised where it should stay.
// rejected-by: correctness.no element is lost when launches are refused
// because: The limit was changed
#include "dynamic_parallelism.h"

#define visit_all right_visit_all
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_all

void visit_all(int count, int* visits, int* refused) {
  if (count <= 0) return;
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count);
  visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}
