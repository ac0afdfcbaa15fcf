// A launch for each step: right, but each launch costs more than a barrier of the grid.
// rejected-by: counters.all steps take one launch and a barrier each
// because: kernel launches
#include "cooperative_groups.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth
#undef smooth_kernel

__global__ void smooth_kernel(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks == 0) return;
  if (steps == 0) WB_CHECK(cudaMemcpyAsync(out, in, count * sizeof(int), cudaMemcpyDeviceToDevice));
  const int* from = in;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    smooth_kernel<<<blocks, kThreads>>>(from, to, count);
    from = to;
  }
}
