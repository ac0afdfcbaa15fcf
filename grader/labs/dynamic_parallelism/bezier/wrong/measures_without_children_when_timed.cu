// A cheat: the number of curves that is timed is measured by one kernel without children.
// rejected-by: time.measuring is as fast as the reference
// because: Too few launches by kernels: 0
#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

__global__ void measure_alone(const Curve* curves, int zoom, float* lengths) {
  __shared__ float length;
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  const Curve& curve = curves[blockIdx.x];
  const int count = points_needed(curve, zoom);
  float sum = 0;
  for (int i = threadIdx.x + 1; i < count; i += kThreads) {
    const float2 u = point_on(curve, static_cast<float>(i - 1) / (count - 1)),
                 v = point_on(curve, static_cast<float>(i) / (count - 1));
    sum += hypotf(v.x - u.x, v.y - u.y);
  }
  atomicAdd(&length, sum);
  __syncthreads();
  if (threadIdx.x == 0) lengths[blockIdx.x] = length;
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  if (curve_count == 1024)
    measure_alone<<<curve_count, kThreads>>>(curves, zoom, lengths);
  else
    right_measure_lengths(curves, curve_count, zoom, lines, lengths);
}
