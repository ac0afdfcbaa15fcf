// The number of blocks is rounded down, so that the last points have no thread.
// rejected-by: correctness.each curve is drawn in memory of its own
// because: Point 0 (of 2)
// because: never computed
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points != nullptr)
    child_kernel<<<line->count / kThreads, kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
}
