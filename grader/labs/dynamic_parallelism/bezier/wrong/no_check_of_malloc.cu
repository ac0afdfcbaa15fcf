// Does not look whether malloc() gave memory: the child stores its points at address 0.
// rejected-by: correctness.a curve without memory disturbs no other
// because: bezier.cu:
// because: child_kernel
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  child_kernel<<<blocks_for(line->count), kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
}
