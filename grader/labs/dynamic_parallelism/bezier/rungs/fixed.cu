// For comparison, without children: room for the most points that any curve needs, as in part 1, and two launches.
#include "bezier.h"

#define measure_lengths right_measure_lengths
#define measure_kernel right_measure_kernel
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef measure_lengths
#undef measure_kernel

__global__ void fixed_length_kernel(const int* counts, const float2* points, int capacity, float* lengths) {
  __shared__ float length;
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  const float2* line = points + blockIdx.x * capacity;
  float sum = 0;
  for (int i = threadIdx.x + 1; i < counts[blockIdx.x]; i += kThreads)
    sum += hypotf(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  atomicAdd(&length, sum);
  __syncthreads();
  if (threadIdx.x == 0) lengths[blockIdx.x] = length;
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline*, float* lengths) {
  if (curve_count == 0) return;
  Curve worst{};  // Coordinates are integers from 0 to 1023: no curve is bent more strongly than this one.
  worst.control[1] = {1023, 1023};
  const int capacity = points_needed(worst, zoom);
  static int room = 0;
  static int* counts = nullptr;
  static float2* points = nullptr;
  if (room < curve_count * capacity) {
    WB_CHECK(cudaFree(counts));
    WB_CHECK(cudaFree(points));
    WB_CHECK(cudaMalloc(&counts, curve_count * sizeof(int)));
    WB_CHECK(cudaMalloc(&points, sizeof(float2) * curve_count * capacity));
    room = curve_count * capacity;
  }
  draw_fixed(curves, curve_count, zoom, capacity, counts, points);
  fixed_length_kernel<<<curve_count, kThreads>>>(counts, points, capacity, lengths);
}
