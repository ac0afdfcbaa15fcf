// Launches 2048 children at most, the limit of a device that nobody has changed, and never asks for an error.
// rejected-by: correctness.no element is lost when launches are refused
// because: elements were never visited
#include "dynamic_parallelism.h"

#define visit_all right_visit_all
#define visit_all_kernel right_visit_all_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_all
#undef visit_all_kernel

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  if (i < 2048) {
    visit<<<1, 1>>>(i, visits);
  } else {
    visits[i] += 1;
    atomicAdd(refused, 1);
  }
}

void visit_all(int count, int* visits, int* refused) {
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}
