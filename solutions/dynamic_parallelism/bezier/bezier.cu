// Lab bezier: curves drawn with as many points as each of them needs, by child grids in memory of their own.
// This is the only file you edit. What each function must do is in bezier.h, what to do first in README.md.
#include "bezier.h"
#include "common/cuda/check.cuh"

constexpr int kThreads = 64;  // Threads in a block of every kernel here.

// The number of blocks that have a thread for each of `count` items.
__host__ __device__ int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Questions ------------------------------------------------------------------------------------------------------

int predict_children(int curves, int block_size) {
  // BEGIN SOLUTION
  // TODO(student): return the number of child grids; see bezier.h. One line in place of the next one.
  // SKELETON: warpbook::not_started();
  return curves;
  // END SOLUTION
}

int predict_children_at_once(int curves, int block_size) {
  // BEGIN SOLUTION
  // TODO(student): return how many child grids in the NULL stream can run at the same time. One line.
  // SKELETON: warpbook::not_started();
  return (curves + block_size - 1) / block_size;
  // END SOLUTION
}

// ---- Part 1: room for the most --------------------------------------------------------------------------------------

// Block b draws curve b, whatever its number of points.
__global__ void fixed_kernel(const Curve* curves, int zoom, int capacity, int* counts, float2* points) {
  // BEGIN SOLUTION
  // TODO(student): the block's curve is curves[blockIdx.x]. Thread 0 stores its number of points. Then the threads
  // share the points: each takes every kThreads-th one, point_on(curve, i / (count - 1)), dividing floats. (5 lines)
  const Curve& curve = curves[blockIdx.x];
  const int count = points_needed(curve, zoom);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
  for (int i = threadIdx.x; i < count; i += kThreads)
    points[blockIdx.x * capacity + i] = point_on(curve, static_cast<float>(i) / (count - 1));
  // END SOLUTION
}

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel with a block for each curve, if there is one. Then delete the next line.
  // SKELETON: warpbook::not_started();
  if (curve_count > 0) fixed_kernel<<<curve_count, kThreads>>>(curves, zoom, capacity, counts, points);
  // END SOLUTION
}

// ---- Part 2: a child for each curve ---------------------------------------------------------------------------------

// The child: thread i of its grid computes point i of one curve.
__global__ void child_kernel(const Curve* curve, const Polyline* line) {
  // BEGIN SOLUTION
  // TODO(student): compute point i and store it in line->points, if the curve has a point i. (2 lines)
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < line->count) line->points[i] = point_on(*curve, static_cast<float>(i) / (line->count - 1));
  // END SOLUTION
}

// What one thread of the parent does: allocates memory for a curve's points and launches the child that fills it.
__device__ void launch_child(const Curve* curve, int zoom, Polyline* line) {
  // BEGIN SOLUTION
  // TODO(student): fill *line: the number of points, and memory for them from malloc(). If malloc() gave memory, launch
  // child_kernel in the stream cudaStreamFireAndForget, with as many blocks as the points need. (4 lines)
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points != nullptr)
    child_kernel<<<blocks_for(line->count), kThreads, 0, cudaStreamFireAndForget>>>(curve, line);
  // END SOLUTION
}

__global__ void parent_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c < curve_count) launch_child(&curves[c], zoom, &lines[c]);
}

// Makes room for `launches` pending launches; by default the GPU has room for 2048, and drops those beyond it.
void make_room_for(int launches) {
  // BEGIN SOLUTION
  // TODO(student): ask cudaDeviceGetLimit() for cudaLimitDevRuntimePendingLaunchCount (a size_t). If it is smaller than
  // `launches`, raise it with cudaDeviceSetLimit(). (3 lines)
  std::size_t room = 0;
  WB_CHECK(cudaDeviceGetLimit(&room, cudaLimitDevRuntimePendingLaunchCount));
  if (room < static_cast<std::size_t>(launches))
    WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches));
  // END SOLUTION
}

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when the functions above are written. The rest is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  make_room_for(curve_count);
  if (curve_count > 0) parent_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines);
}

// BEGIN SOLUTION
// TODO(student): a kernel with one thread for each polyline, which frees its points and sets the pointer to nullptr:
// only a kernel can free what a kernel allocated. (5 lines)
__global__ void release_kernel(Polyline* lines, int curve_count) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  free(lines[c].points);
  lines[c].points = nullptr;
}
// END SOLUTION

void release(Polyline* lines, int curve_count) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel, if there is a polyline. Then delete the next line.
  // SKELETON: warpbook::not_started();
  if (curve_count > 0) release_kernel<<<blocks_for(curve_count), kThreads>>>(lines, curve_count);
  // END SOLUTION
}

// ---- Part 3: the tail -----------------------------------------------------------------------------------------------

// Block b adds up the pieces of polyline b, then frees its memory.
__global__ void length_kernel(const Polyline* lines, float* lengths) {
  __shared__ float length;
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  const Polyline line = lines[blockIdx.x];
  float sum = 0;
  for (int i = threadIdx.x + 1; i < line.count; i += kThreads)
    sum += hypotf(line.points[i].x - line.points[i - 1].x, line.points[i].y - line.points[i - 1].y);
  atomicAdd(&length, sum);
  // BEGIN SOLUTION
  // TODO(student): when every thread of the block has read its points and added its sum, one thread stores the length
  // in lengths[blockIdx.x] and frees the memory. (4 lines)
  __syncthreads();
  if (threadIdx.x == 0) {
    lengths[blockIdx.x] = length;
    free(line.points);
  }
  // END SOLUTION
}

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  // BEGIN SOLUTION
  // TODO(student): thread c launches the child of curve c, if there is one. One thread of the whole grid launches
  // length_kernel, with a block for each curve, in the stream cudaStreamTailLaunch. (4 lines)
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  launch_child(&curves[c], zoom, &lines[c]);
  if (c == 0) length_kernel<<<curve_count, kThreads, 0, cudaStreamTailLaunch>>>(lines, lengths);
  // END SOLUTION
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  // BEGIN SOLUTION
  // TODO(student): make room for all launches, the tail too; launch measure_kernel as draw() launches its kernel. Then
  // delete the next line.
  // SKELETON: warpbook::not_started();
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
  // END SOLUTION
}
