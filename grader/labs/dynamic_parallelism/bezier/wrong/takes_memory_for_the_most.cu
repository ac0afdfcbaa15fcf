// Takes memory for the most points that a curve can have, as the fixed kernel does.
// rejected-by: counters.the heap holds the points that are needed and no more
// because: Too many bytes of the device heap in use at a time
// because: Ask malloc() for what is needed
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(3444 * sizeof(float2)));
  if (line->points != nullptr)
    child_kernel<<<blocks_for(line->count), kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
}
