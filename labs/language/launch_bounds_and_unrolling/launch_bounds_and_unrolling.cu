// Exercise launch_bounds_and_unrolling: promises of a kernel, and its loops. See launch_bounds_and_unrolling.h.
#include "launch_bounds_and_unrolling.h"

__global__ void add_kernel(const int* in, int* out, int count) {  // TODO(student): add the bounds. (this line)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int sum = out[i];
#pragma unroll 1  // TODO(student): this takes 5 instructions for each k. (this line)
  for (int k = 0; k < 32; ++k) sum += in[k * count + i];
  out[i] = sum;
}

int add_up(const int* in, int* out, int count, int threads) {
  warpbook::not_started();  // TODO(student): launch the kernel, then ask what became of it. (2 lines)
}

int copies(int n) {
  warpbook::not_started();  // TODO(student): where may something be left over? (2 lines)
}
