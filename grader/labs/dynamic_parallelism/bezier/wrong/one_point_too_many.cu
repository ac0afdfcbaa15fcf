// The child compares with <=, so that it stores one point behind the memory of its curve.
// rejected-by: correctness.each curve is drawn in memory of its own
// because: was written: it belongs to somebody else
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_but_children.cuh"

__global__ void one_more_kernel(const Curve* curve, const Polyline* line) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i <= line->count) line->points[i] = point_on(*curve, static_cast<float>(i) / (line->count - 1));
}

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points != nullptr)
    one_more_kernel<<<blocks_for(line->count + 1), kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
}
