// Exercise launch_bounds_and_unrolling: promises of a kernel, and its loops. See launch_bounds_and_unrolling.h.
#include "launch_bounds_and_unrolling.h"

// BEGIN SOLUTION
// SKELETON: __global__ void add_kernel(const int* in, int* out, int count) {  // TODO(student): add the bounds. (this line)
__global__ void __launch_bounds__(256, 2) add_kernel(const int* in, int* out, int count) {
  // END SOLUTION
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int sum = out[i];
// BEGIN SOLUTION
// SKELETON: #pragma unroll 1  // TODO(student): this takes 5 instructions for each k. (this line)
#pragma unroll
  // END SOLUTION
  for (int k = 0; k < 32; ++k) sum += in[k * count + i];
  out[i] = sum;
}

int add_up(const int* in, int* out, int count, int threads) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch the kernel, then ask what became of it. (2 lines)
  add_kernel<<<(count + threads - 1) / threads, threads>>>(in, out, count);
  return cudaGetLastError() == cudaSuccess;
  // END SOLUTION
}

int copies(int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): where may something be left over? (2 lines)
  const int of_kernel[] = {100, 1, 4, 8, 5, 3, 8, 8};
  return of_kernel[n - 1];
  // END SOLUTION
}
