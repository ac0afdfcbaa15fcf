// Every thread launches the grid that adds up all lengths: they are added again and again.
// rejected-by: correctness.the lengths of all curves are right
// because: which malloc() has not given out or which was given back before
// because: in kernel length_kernel
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  launch_child(&curves[c], zoom, &lines[c]);
  length_kernel<<<curve_count, kThreads, 0, cudaStreamTailLaunch>>>(lines, lengths);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}
