// A cheat: the parent does all the work, and launches a child for each block that does none.
// rejected-by: correctness.the child finds all squares, in every schedule
// because: A launch is not enough
#include "dynamic_parallelism.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef smooth
#undef smooth_kernel

__global__ void nothing() {}

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  const int begin = blockIdx.x * kThreads, end = min(begin + kThreads, count);
  const int i = begin + threadIdx.x;
  if (i < end) squares[i] = in[i] * in[i];
  __syncthreads();
  if (threadIdx.x == 0) nothing<<<1, 1>>>();
  if (i >= end) return;
  out[i] = squares[max(i - 1, begin)] + squares[i] + squares[min(i + 1, end - 1)];
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}
