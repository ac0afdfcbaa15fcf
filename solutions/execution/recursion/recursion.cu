// Exercise recursion: a kernel that launches itself. recursion.h says what each function must do.
#include "common/cuda/check.cuh"
#include "recursion.h"

// BEGIN SOLUTION
// TODO(student): write the kernel. One thread launches, after all have written. (9 lines)
__global__ void add_kernel(int* data, int size, int depth) {
  for (int i = threadIdx.x; i < size; i += blockDim.x) data[i] += depth;
  __syncthreads();
  if (threadIdx.x != 0 || depth == 1) return;
  const int half = size / 2, rest = size - half;
  if (half > 0) add_kernel<<<1, 64, 0, cudaStreamFireAndForget>>>(data, half, depth - 1);
  add_kernel<<<1, 64, 0, cudaStreamFireAndForget>>>(data + half, rest, depth - 1);
}
// END SOLUTION

void add_levels(int* data, int size, int depth) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch the first grid in place of this line.
  add_kernel<<<1, 64>>>(data, size, depth);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int grids(int size, int depth) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): a recursion of the host. (2 lines)
  if (size == 0 || depth == 0) return 0;
  return 1 + grids(size / 2, depth - 1) + grids(size - size / 2, depth - 1);
  // END SOLUTION
}
