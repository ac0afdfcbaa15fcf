// Only the threads of a block wait for each other between two steps.
// rejected-by: correctness.a row is smoothed as often as asked
// because: out
#include "cooperative_groups.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth
#undef smooth_kernel

__global__ void smooth_kernel(const int* in, int* out, int* scratch, int count, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const int first = grid.thread_rank(), stride = grid.num_threads();
  const int* from = in;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    for (int i = first; i < count; i += stride)
      to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
    __syncthreads();
    from = to;
  }
  if (steps == 0)
    for (int i = first; i < count; i += stride) out[i] = in[i];
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  launch_together(reinterpret_cast<void*>(smooth_kernel), (count + kThreads - 1) / kThreads, arguments);
}
