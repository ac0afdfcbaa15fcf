// i / (count - 1) is computed in whole numbers: 0 for all points but the last.
// rejected-by: correctness.the fixed kernel draws every curve
// because: It is the first point again
#include "bezier.h"

#define fixed_kernel right_fixed_kernel
#define draw_fixed right_draw_fixed
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef fixed_kernel
#undef draw_fixed

__global__ void fixed_kernel(const Curve* curves, int zoom, int capacity, int* counts, float2* points) {
  const Curve& curve = curves[blockIdx.x];
  const int count = points_needed(curve, zoom);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
  for (int i = threadIdx.x; i < count; i += kThreads)
    points[blockIdx.x * capacity + i] = point_on(curve, i / (count - 1));
}

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  if (curve_count > 0) fixed_kernel<<<curve_count, kThreads>>>(curves, zoom, capacity, counts, points);
}
