// The solution with a grid of one block for each multiprocessor of an H200.
#include "cooperative_groups.h"

#define smooth solution_smooth
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  launch_together(reinterpret_cast<void*>(smooth_kernel), std::min(132, (count + kThreads - 1) / kThreads), arguments);
}
