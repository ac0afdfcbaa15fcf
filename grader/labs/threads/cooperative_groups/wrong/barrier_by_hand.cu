// A barrier made by hand in an ordinary launch: nothing says that all blocks are on the device at the same time.
// rejected-by: counters.all steps take one launch and a barrier each
// because: They may wait for each other only in a cooperative launch
#include "cooperative_groups.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth
#undef smooth_kernel

__device__ unsigned arrived;

__device__ void wait_for_all_blocks(unsigned turn) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*static_cast<volatile unsigned*>(&arrived) < turn * gridDim.x) __nanosleep(100);
    __threadfence();
  }
  __syncthreads();
}

__global__ void smooth_kernel(const int* in, int* out, int* scratch, int count, int steps) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const int* from = in;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    for (int i = first; i < count; i += stride)
      to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
    if (step + 1 < steps) wait_for_all_blocks(step + 1);
    from = to;
  }
  if (steps == 0)
    for (int i = first; i < count; i += stride) out[i] = in[i];
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  const unsigned none = 0;
  WB_CHECK(cudaMemcpyToSymbol(arrived, &none, sizeof none));
  smooth_kernel<<<std::max(1, std::min((count + kThreads - 1) / kThreads, 1056)), kThreads>>>(in, out, scratch, count,
                                                                                              steps);
}
