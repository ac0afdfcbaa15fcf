// The launching thread stores its own square after the launch: the child may have read it by then.
// rejected-by: correctness.the child finds all squares, in every schedule
// because: 'out' is wrong in
#include "dynamic_parallelism.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef smooth
#undef smooth_kernel

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  const int begin = blockIdx.x * kThreads, end = min(begin + kThreads, count);
  const int i = begin + threadIdx.x;
  if (i < end && threadIdx.x != 0) squares[i] = in[i] * in[i];
  __syncthreads();
  if (threadIdx.x != 0) return;
  smooth_segment<<<1, kThreads>>>(squares, out, begin, end);
  squares[i] = in[i] * in[i];
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}
