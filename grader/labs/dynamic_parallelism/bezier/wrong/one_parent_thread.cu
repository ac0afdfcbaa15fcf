// One thread of the host's grid launches all children, one after another, into the NULL stream.
// rejected-by: time.measuring is as fast as the reference
// because: Too slow
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__device__ void launch_child_in_order(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points != nullptr) child_kernel<<<blocks_for(line->count), kThreads>>>(curve, line);
}

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  for (int c = 0; c < curve_count; ++c) {
    launch_child_in_order(&curves[c], zoom, &lines[c]);
  }
  length_kernel<<<curve_count, kThreads, 0, cudaStreamTailLaunch>>>(lines, lengths);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_kernel<<<1, 1>>>(curves, curve_count, zoom, lines, lengths);
}
