// The child gets a pointer to the parent's shared memory, which means nothing in another block.
// rejected-by: correctness.the child finds all squares, in every schedule
// because: passes_shared_memory.cu:
// because: an address of shared memory, which belongs to one block
#include "dynamic_parallelism.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef smooth
#undef smooth_kernel

__global__ void smooth_shared(const unsigned* squares, unsigned* out, int begin, int end) {
  const int k = threadIdx.x, count = end - begin;
  if (k >= count) return;
  out[begin + k] = squares[max(k - 1, 0)] + squares[k] + squares[min(k + 1, count - 1)];
}

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  __shared__ unsigned own[kThreads];
  const int begin = blockIdx.x * kThreads, end = min(begin + kThreads, count);
  const int i = begin + threadIdx.x;
  if (i < end) own[threadIdx.x] = squares[i] = in[i] * in[i];
  __syncthreads();
  if (threadIdx.x == 0) smooth_shared<<<1, kThreads>>>(own, out, begin, end);
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}
