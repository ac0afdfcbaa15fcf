// Nobody asks what came of the launch: where it was refused, the element is not visited.
// rejected-by: correctness.no element is lost when launches are refused
// because: elements were never visited: their launches were refused
#include "dynamic_parallelism.h"

#define visit_all right_visit_all
#define visit_all_kernel right_visit_all_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef visit_all
#undef visit_all_kernel

__global__ void visit_all_kernel(int count, int* visits, int* refused) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  visit<<<1, 1>>>(i, visits);
}

void visit_all(int count, int* visits, int* refused) {
  if (count > 0) visit_all_kernel<<<blocks_for(count), kThreads>>>(count, visits, refused);
}
