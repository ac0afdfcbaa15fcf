// release() sets the pointers to nullptr, but does not call free().
// rejected-by: correctness.release gives all memory back
// because: Was the memory of earlier calls given back with free()
#include "bezier.h"

#define release_kernel right_release_kernel
#define release right_release
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef release_kernel
#undef release

__global__ void release_kernel(Polyline* lines, int curve_count) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c < curve_count) lines[c].points = nullptr;
}

void release(Polyline* lines, int curve_count) {
  if (curve_count > 0) release_kernel<<<blocks_for(curve_count), kThreads>>>(lines, curve_count);
}
