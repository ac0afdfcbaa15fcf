// A tree in shared memory in which neighbouring threads add, but at elements further and further apart: bank conflicts.
#include "grader/labs/threads/reduction/rungs/passes.cuh"

__global__ void interleaved_kernel(const float* in, float* out, int n) {
  __shared__ float data[kThreads];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  data[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned k = 2 * distance * t;
    if (k < blockDim.x) data[k] += data[k + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

void sum(const float* in, float* out, float* scratch, int n) {
  sum_in_passes(interleaved_kernel, kThreads, in, out, scratch, n);
}
