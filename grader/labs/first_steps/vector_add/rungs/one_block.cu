// One block walks through the arrays: one of 132 multiprocessors works.
#include "common/cuda/check.cuh"
#include "vector_add.h"

// One block: each of its threads walks through the arrays, as many elements apart as the block has threads.
__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) c[i] = a[i] + b[i];
}

// Runs once, on the host: starts one block, whatever the size.
void vector_add(const float* a, const float* b, float* c, int count) { vector_add_kernel<<<1, 256>>>(a, b, c, count); }
