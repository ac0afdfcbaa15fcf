// A cheat: the host asks for the limit, and the kernel launches so many children, without asking what came of a launch.
// rejected-by: counters.every launch that the device takes is made
// because: no number that is known beforehand can tell
#include "dynamic_parallelism.h"

#define visit_all right_visit_all
#define visit_all_kernel right_visit_all_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_all
#undef visit_all_kernel

__global__ void visit_all_kernel(int count, int limit, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  if (i < limit) {
    visit<<<1, 1>>>(i, visits);
  } else {
    visits[i] += 1;
    atomicAdd(refused, 1);
  }
}

void visit_all(int count, int* visits, int* refused) {
  std::size_t limit = 0;
  WB_CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, static_cast<int>(limit), visits, refused);
}
