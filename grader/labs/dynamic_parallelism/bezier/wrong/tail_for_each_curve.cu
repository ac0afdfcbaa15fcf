// Each thread launches a tail grid of one block for its own curve: they run one after another.
// rejected-by: counters.the host launches one kernel, and its tail is one grid
// because: Too many launches by kernels: 260; at most 131
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  launch_child(&curves[c], zoom, &lines[c]);
  length_kernel<<<1, kThreads, 0, cudaStreamTailLaunch>>>(lines + c, lengths + c);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(2 * curve_count);
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}
