// Launches as many blocks as there is work for, whether they fit or not.
// rejected-by: correctness.more elements than threads are smoothed too
// because: cudaErrorCooperativeLaunchTooLarge
#include "cooperative_groups.h"

#define smooth right_smooth
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  const int blocks = count == 0 ? 1 : (count + kThreads - 1) / kThreads;
  WB_CHECK(cudaLaunchCooperativeKernel(smooth_kernel, blocks, kThreads, arguments, 0, nullptr));
}
