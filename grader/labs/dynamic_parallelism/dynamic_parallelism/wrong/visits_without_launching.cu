// A cheat: the parent visits all elements itself, and says that what is over the limit was refused.
// rejected-by: counters.every launch that the device takes is made
// because: Too few launches by kernels
#include "dynamic_parallelism.h"

#define visit_all right_visit_all
#define visit_all_kernel right_visit_all_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_all
#undef visit_all_kernel

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  visits[i] += 1;
  if (i >= 2048) atomicAdd(refused, 1);
}

void visit_all(int count, int* visits, int* refused) {
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}
