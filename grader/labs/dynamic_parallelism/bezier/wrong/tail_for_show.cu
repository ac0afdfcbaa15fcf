// A cheat: the parent adds up lengths while it draws; the grid in the tail only gives memory back.
// rejected-by: counters.the host launches one kernel, and its tail is one grid
// because: who adds up the lengths?
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void give_back(const Polyline* lines) {
  if (threadIdx.x == 0) free(lines[blockIdx.x].points);
}

__global__ void measure_itself(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  launch_child(&curves[c], zoom, &lines[c]);
  const int count = points_needed(curves[c], zoom);
  float2 last = curves[c].control[0];
  float length = 0;
  for (int i = 1; i < count; ++i) {
    const float2 point = point_on(curves[c], static_cast<float>(i) / (count - 1));
    length += hypotf(point.x - last.x, point.y - last.y);
    last = point;
  }
  lengths[c] = length;
  if (c == 0) give_back<<<curve_count, kThreads, 0, cudaStreamTailLaunch>>>(lines);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_itself<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}
