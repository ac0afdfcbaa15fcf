// Every child has blocks for the most points that a curve can have; most of its threads find nothing to do.
// rejected-by: counters.each curve has one child, of the size that it needs
// because: Launch as many blocks as the points of the curve need
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points != nullptr) child_kernel<<<blocks_for(3444), kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
}
