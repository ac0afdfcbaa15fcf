// Without a tile: each thread loads its three elements, most of which the L1 cache has.
#include "grader/labs/debugging/debugger/rungs/solution.cuh"

__global__ void smooth_kernel(const int* in, int* out, int count) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= count) return;
  int sum = in[i];
  if (i > 0) sum += in[i - 1];
  if (i + 1 < count) sum += in[i + 1];
  out[i] = sum;
}

void smooth(const int* in, int* out, int count) { smooth_kernel<<<(count + 63) / 64, 64>>>(in, out, count); }
