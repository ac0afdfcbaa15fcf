// More fire-and-forget launches than the limit: on an H200 they are not refused, and the program never ends.
// rejected-by: counters.every launch that the device takes is made
// because: were launched into the NULL stream
#include "dynamic_parallelism.h"

#define visit_all right_visit_all
#define visit_all_kernel right_visit_all_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_all
#undef visit_all_kernel

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  visit<<<1, 1, 0, cudaStreamFireAndForget>>>(i, visits);
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) {
    visits[i] = 1;
    atomicAdd(refused, 1);
  }
}

void visit_all(int count, int* visits, int* refused) {
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}
