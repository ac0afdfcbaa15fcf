// A cheat: each thread of the one kernel computes all points of its curve itself.
// rejected-by: counters.each curve has one child, of the size that it needs
// because: Too few launches by kernels: 0
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points == nullptr) return;
  for (int i = 0; i < line->count; ++i) line->points[i] = point_on(*curve, static_cast<float>(i) / (line->count - 1));
}
