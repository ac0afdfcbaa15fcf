// A block with few elements returns early, and the others wait for it at grid.sync().
// rejected-by: correctness.a row is smoothed as often as asked
// because: grid.sync() waits for ever
// because: idle_blocks_leave.cu:
// because: must be reached by all threads of all blocks
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
  if (blockIdx.x > 0 && count - blockIdx.x * blockDim.x < 32) return;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    for (int i = first; i < count; i += stride)
      to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
    grid.sync();
    from = to;
  }
  if (steps == 0)
    for (int i = first; i < count; i += stride) out[i] = in[i];
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  launch_together(reinterpret_cast<void*>(smooth_kernel), (count + kThreads - 1) / kThreads, arguments);
}
