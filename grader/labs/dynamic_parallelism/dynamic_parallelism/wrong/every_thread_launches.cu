// The launch has no if: each thread of the block launches the child, which does the same work 256 times.
// rejected-by: counters.each block launches one child
// because: Too many launches by kernels
// because: every thread that reaches the launch makes one
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
  smooth_segment<<<1, kThreads>>>(squares, out, begin, end);
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}
