// Exercise since_cuda_12: a kernel as older texts wrote it, and what kernels may call. See since_cuda_12.h.
#include "since_cuda_12.h"

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

// TODO(student): write the parent. Which threads' stores does a child see, and who doubles? (9 lines)

void port(const int* in, int* data, int count) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}

int says(int line) {
  warpbook::not_started();  // TODO(student): which lines are errors, which get a warning? (2 lines)
}
