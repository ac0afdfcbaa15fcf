// Exercise since_cuda_12: a kernel as older texts wrote it, and what kernels may call. See since_cuda_12.h.
#include "since_cuda_12.h"

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

// BEGIN SOLUTION
// TODO(student): write the parent. Which threads' stores does a child see, and who doubles? (9 lines)
__global__ void parent(const int* in, int* data) {
  const int t = threadIdx.x;
  data[t] = in[t] * in[t];
  __syncthreads();
  if (t == 0) {
    add_one<<<1, blockDim.x>>>(data);
    twice<<<1, blockDim.x, 0, cudaStreamTailLaunch>>>(data);
  }
}
// END SOLUTION

void port(const int* in, int* data, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  parent<<<1, count>>>(in, data);
  // END SOLUTION
}

int says(int line) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): which lines are errors, which get a warning? (2 lines)
  const int of_line[] = {0, 2, 2, 2, 0, 2, 0, 2, 0, 0, 2, 0, 1, 0};
  return of_line[line - 1];
  // END SOLUTION
}
