// The solution with another way to take memory and to launch a child, which the wrong answer defines as
// other_launch_child(); only calls inside kernels are changed.
#pragma once

#include "bezier.h"

__device__ void other_launch_child(const Curve* curve, int zoom, Polyline* line);
__global__ void child_kernel(const Curve* curve, const Polyline* line);

#define launch_child right_launch_child
#define parent_kernel right_parent_kernel
#define draw right_draw
#define measure_kernel right_measure_kernel
#define measure_lengths right_measure_lengths
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef launch_child
#undef parent_kernel
#undef draw
#undef measure_kernel
#undef measure_lengths

__global__ void parent_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c < curve_count) other_launch_child(&curves[c], zoom, &lines[c]);
}

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  make_room_for(curve_count);
  if (curve_count > 0) parent_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  right_measure_lengths(curves, curve_count, zoom, lines, lengths);
}
