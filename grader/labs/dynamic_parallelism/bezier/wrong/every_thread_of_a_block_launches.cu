// A block for each curve, and the launch stands outside `if (threadIdx.x == 0)`.
// rejected-by: counters.each curve has one child, of the size that it needs
// because: Too many launches by kernels
// because: every thread that reaches the launch makes one
#include "bezier.h"

#define draw right_draw
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef draw

__global__ void block_for_each_curve(const Curve* curves, int zoom, Polyline* lines) {
  const Curve* curve = &curves[blockIdx.x];
  Polyline* line = &lines[blockIdx.x];
  if (threadIdx.x == 0) {
    line->count = points_needed(*curve, zoom);
    line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  }
  __syncthreads();
  if (line->points != nullptr)
    child_kernel<<<blocks_for(line->count), kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
}

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  make_room_for(4 * curve_count);
  if (curve_count > 0) block_for_each_curve<<<curve_count, 4>>>(curves, zoom, lines);
}
