// Two steps between barriers of the grid: each block makes the elements at its edges that it needs, too.
#include "cooperative_groups.h"

#define smooth_kernel right_smooth_kernel
#define smooth right_smooth
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef smooth_kernel
#undef smooth

__device__ int stepped(const int* a, int i, int count) {
  return i <= 0 || i >= count - 1 ? a[i] : (a[i - 1] + 2 * a[i] + a[i + 1]) / 4;
}

__global__ void smooth_kernel(const int* in, int* out, int* scratch, int count, int steps) {
  __shared__ int middle[kThreads + 2];
  const cg::grid_group grid = cg::this_grid();
  const int pairs = (steps + 1) / 2;
  const int* from = in;
  for (int pair = 0; pair < pairs; ++pair) {
    int* to = (pairs - pair) % 2 == 1 ? out : scratch;
    const bool one = pair == 0 && steps % 2 == 1;  // An odd step comes first.
    for (int begin = blockIdx.x * kThreads; begin < count; begin += gridDim.x * kThreads) {
      const int i = begin + threadIdx.x;
      if (one) {
        if (i < count) to[i] = stepped(from, i, count);
        continue;
      }
      for (int k = threadIdx.x; k < kThreads + 2; k += kThreads) {
        const int j = begin + k - 1;
        if (j >= 0 && j < count) middle[k] = stepped(from, j, count);
      }
      __syncthreads();
      if (i < count) {
        const int* m = middle + threadIdx.x + 1;
        to[i] = i == 0 || i == count - 1 ? m[0] : (m[-1] + 2 * m[0] + m[1]) / 4;
      }
      __syncthreads();
    }
    if (pair + 1 < pairs) grid.sync();
    from = to;
  }
  if (steps == 0)
    for (int i = grid.thread_rank(); i < count; i += grid.num_threads()) out[i] = in[i];
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  launch_together(reinterpret_cast<void*>(smooth_kernel), (count + kThreads - 1) / kThreads, arguments);
}
