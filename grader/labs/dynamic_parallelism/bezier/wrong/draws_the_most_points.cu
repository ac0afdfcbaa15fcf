// Every curve is drawn with all the points that there is room for.
// rejected-by: correctness.the fixed kernel draws every curve
// because: but points_needed() is 2
#include "bezier.h"

#define fixed_kernel right_fixed_kernel
#define draw_fixed right_draw_fixed
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef fixed_kernel
#undef draw_fixed

__global__ void fixed_kernel(const Curve* curves, int capacity, int* counts, float2* points) {
  const Curve& curve = curves[blockIdx.x];
  if (threadIdx.x == 0) counts[blockIdx.x] = capacity;
  for (int i = threadIdx.x; i < capacity; i += kThreads)
    points[blockIdx.x * capacity + i] = point_on(curve, static_cast<float>(i) / (capacity - 1));
}

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  if (curve_count > 0) fixed_kernel<<<curve_count, kThreads>>>(curves, capacity, counts, points);
}
