// A cheat: the parent does the child's work itself.
// rejected-by: counters.each block launches one child
// because: Too few launches by kernels
#include "dynamic_parallelism.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef smooth
#undef smooth_kernel

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  const int begin = blockIdx.x * kThreads, end = min(begin + kThreads, count);
  const int i = begin + threadIdx.x;
  if (i < end) squares[i] = in[i] * in[i];
  __syncthreads();
  if (i >= end) return;
  out[i] = squares[max(i - 1, begin)] + squares[i] + squares[min(i + 1, end - 1)];
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}
