// A cheat: the length of a curve is taken from a few points, not from all that it has.
// rejected-by: correctness.the lengths of all curves are right
// because: 'lengths' is wrong
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void measure_roughly(const Curve* curves, int curve_count, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  float length = 0;
  for (int i = 1; i <= 8; ++i) {
    const float2 u = point_on(curves[c], (i - 1) / 8.0f), v = point_on(curves[c], i / 8.0f);
    length += hypotf(v.x - u.x, v.y - u.y);
  }
  lengths[c] = length;
}

void measure_lengths(const Curve* curves, int curve_count, int, Polyline*, float* lengths) {
  if (curve_count > 0) measure_roughly<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, lengths);
}
