// A fix by which nothing overwrites the neighbours: thread 0 fills the whole tile.
#include "grader/labs/debugging/debugger/rungs/solution.cuh"

__global__ void smooth_kernel(const int* in, int* out, int count) {
  __shared__ int tile[66];
  const int t = threadIdx.x, first = blockIdx.x * 64, i = first + t;
  for (int k = 0; t == 0 && k < 66; ++k) {
    const int at = first + k - 1;
    tile[k] = at >= 0 && at < count ? in[at] : 0;
  }
  __syncthreads();
  if (i < count) out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

void smooth(const int* in, int* out, int count) { smooth_kernel<<<(count + 63) / 64, 64>>>(in, out, count); }
