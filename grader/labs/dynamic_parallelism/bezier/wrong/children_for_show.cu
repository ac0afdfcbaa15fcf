// A cheat: each thread of the parent draws its curve itself; the children are launched, and find nothing to do.
// rejected-by: counters.each curve has one child, of the size that it needs
// because: The children store 0 bytes
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__global__ void do_nothing() {}

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points == nullptr) return;
  for (int i = 0; i < line->count; ++i) line->points[i] = point_on(*curve, static_cast<float>(i) / (line->count - 1));
  do_nothing<<<blocks_for(line->count), kThreads, 0, cudaStreamFireAndForget>>>();
}
