// The host waits for the children and launches the grid that adds up.
// rejected-by: counters.the host launches one kernel, and its tail is one grid
// because: Too few
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  if (curve_count == 0) return;
  draw(curves, curve_count, zoom, lines);
  length_kernel<<<curve_count, kThreads>>>(lines, lengths);
}
