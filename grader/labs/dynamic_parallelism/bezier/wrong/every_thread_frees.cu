// Every thread of a block gives the memory of its polyline back.
// rejected-by: correctness.the lengths of all curves are right
// because: which malloc() has not given out or which was given back before
// because: every_thread_frees.cu:
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void add_up(const Polyline* lines, float* lengths) {
  __shared__ float length;
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  const Polyline line = lines[blockIdx.x];
  float sum = 0;
  for (int i = threadIdx.x + 1; i < line.count; i += kThreads)
    sum += hypotf(line.points[i].x - line.points[i - 1].x, line.points[i].y - line.points[i - 1].y);
  atomicAdd(&length, sum);
  __syncthreads();
  if (threadIdx.x == 0) lengths[blockIdx.x] = length;
  free(line.points);
}

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  launch_child(&curves[c], zoom, &lines[c]);
  if (c == 0) add_up<<<curve_count, kThreads, 0, cudaStreamTailLaunch>>>(lines, lengths);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}
