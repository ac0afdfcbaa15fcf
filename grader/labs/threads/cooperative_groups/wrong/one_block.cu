// One block does everything, so that a barrier of the block is enough: 131 of 132 multiprocessors have nothing to do.
// rejected-by: time.smoothing is as fast as the reference
// because: reference
#include "cooperative_groups.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth
#undef smooth_kernel

__global__ void smooth_kernel(const int* in, int* out, int* scratch, int count, int steps) {
  const int* from = in;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
      to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
    __syncthreads();
    from = to;
  }
  if (steps == 0)
    for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = in[i];
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  smooth_kernel<<<1, 1024>>>(in, out, scratch, count, steps);
}
