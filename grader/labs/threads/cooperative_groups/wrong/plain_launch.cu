// Launches the kernel with <<<>>>: such a grid cannot synchronise.
// rejected-by: correctness.a row is smoothed as often as asked
// because: cudaLaunchCooperativeKernel instead of <<<>>>
#include "cooperative_groups.h"

#define smooth right_smooth
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) smooth_kernel<<<blocks, kThreads>>>(in, out, scratch, count, steps);
}
