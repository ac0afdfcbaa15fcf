// The contract of lab bezier: what the functions in bezier.cu must do.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/lab.h"

/// @defgroup bezier Lab bezier
/// Curves drawn with as many points as each of them needs: first with room for the largest number, then with child
/// grids.
///
/// A curve has three control points p0, p1, p2 and consists of the points
/// `B(t) = (1 - t)^2 p0 + 2 t (1 - t) p1 + t^2 p2` for t from 0 to 1. It is drawn as a chain of `count - 1` straight
/// pieces through `count = points_needed(curve, zoom)` points: point `i` is `B(i / (count - 1))`.
///
/// Common to all: pointers are device pointers. `curves` is only read. `curve_count` is 0 to 2200; for 0, nothing is
/// done. The functions start kernels on the default stream and need not wait for them.
/// @{

/// One quadratic Bezier curve. Coordinates are integers from 0 to 1023.
struct Curve {
  float2 control[3];
};

/// The points of one curve, in memory of the device heap (malloc in a kernel).
struct Polyline {
  int count;       ///< Points that the curve needs, 2 or more.
  float2* points;  ///< `count` points; nullptr if the device heap had no room for them.
};

/// How many points a chain needs so that it deviates from the curve, drawn `zoom` times larger, by a quarter of a pixel
/// at most. A chain of n pieces deviates by |p0 - 2 p1 + p2| / (4 n^2); all numbers below are exact.
/// @param zoom 1 to 4096
/// @returns 2 (a straight line) to 3444
__host__ __device__ inline int points_needed(const Curve& curve, int zoom) {
  const double x = curve.control[0].x - 2 * curve.control[1].x + curve.control[2].x;
  const double y = curve.control[0].y - 2 * curve.control[1].y + curve.control[2].y;
  const double pieces = ceil(sqrt(zoom * sqrt(x * x + y * y)));
  return pieces < 1 ? 2 : static_cast<int>(pieces) + 1;
}

/// The point B(t) of a curve.
__host__ __device__ inline float2 point_on(const Curve& curve, float t) {
  const float a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
  const float2* p = curve.control;
  return {a * p[0].x + b * p[1].x + c * p[2].x, a * p[0].y + b * p[1].y + c * p[2].y};
}

/// Question 1: a kernel has one thread for each of `curves` curves, in blocks of `block_size` threads. Each thread that
/// has a curve executes one launch. How many child grids run?
/// @param curves     1 to 5000
/// @param block_size 1 to 1024
int predict_children(int curves, int block_size);

/// Question 2: the same kernel. All its blocks run at the same time, there are fewer than 128 of them, and all
/// launches go to the NULL stream. How many child grids can run at the same time?
int predict_children_at_once(int curves, int block_size);

/// Part 1: one kernel without children. There is room for `capacity` points for each curve, whether it needs them or
/// not: point `i` of curve `c` goes to `points[c * capacity + i]`, and nothing else is written.
/// @param capacity at least points_needed() of every curve, and `curve_count` x `capacity` at most 2^21
/// @param counts   `curve_count` numbers: the points of each curve
/// @param points   `curve_count` x `capacity` points
void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points);

/// Part 2: one kernel with one thread for each curve, which takes memory for exactly the points of its curve from the
/// device heap and launches one child grid that computes them. A curve for which the heap has no room has `points`
/// nullptr and no child; the others are not disturbed.
/// @param lines `curve_count` polylines, with undefined contents at first
void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines);

/// Part 2: returns the memory of draw() to the device heap. Sets every `points` to nullptr. A curve that got no memory
/// has nullptr already; free() accepts that.
void release(Polyline* lines, int curve_count);

/// Part 3: the length of each polyline. The host launches one kernel and does nothing else: the kernel launches the
/// children of draw() and, in its tail, one grid that adds up the lengths of the pieces and frees the memory. The
/// heap has room for all points.
/// @param lines   `curve_count` polylines to work with; what they hold at the end does not matter
/// @param lengths `curve_count` lengths, in the units of the control points
void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths);

/// @}
