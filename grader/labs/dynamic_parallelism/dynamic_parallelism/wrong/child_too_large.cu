// A child with more threads than a block can have: it is refused, and nobody asks.
// rejected-by: correctness.the child finds all squares, in every schedule
// because: cudaErrorInvalidConfiguration (9) at grader/labs/dynamic_parallelism/dynamic_parallelism/wrong/child_too_large.cu:18
// because: Call cudaGetLastError() after the launch
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
  if (threadIdx.x == 0) smooth_segment<<<1, 8 * kThreads>>>(squares, out, begin, end);
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}
