// The lengths are added up by one more child, which waits for nothing, and not by a tail launch.
// rejected-by: correctness.the lengths of all curves are right
// because: Nothing was launched in the tail
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  if (c == 0) length_kernel<<<curve_count, kThreads, 0, cudaStreamFireAndForget>>>(lines, lengths);
  launch_child(&curves[c], zoom, &lines[c]);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}
