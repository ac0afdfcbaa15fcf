// Lab bezier: curves drawn with as many points as each of them needs, by child grids in memory of their own.
// This is the only file you edit. What each function must do is in bezier.h, what to do first in README.md.
#include "bezier.h"
#include "common/cuda/check.cuh"

constexpr int kThreads = 64;  // Threads in a block of every kernel here.

// The number of blocks that have a thread for each of `count` items.
__host__ __device__ int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Questions ------------------------------------------------------------------------------------------------------

int predict_children(int curves, int block_size) {
  // TODO(student): return the number of child grids; see bezier.h. One line in place of the next one.
  warpbook::not_started();
}

int predict_children_at_once(int curves, int block_size) {
  // TODO(student): return how many child grids in the NULL stream can run at the same time. One line.
  warpbook::not_started();
}

// ---- Part 1: room for the most --------------------------------------------------------------------------------------

// Block b draws curve b, whatever its number of points.
__global__ void fixed_kernel(const Curve* curves, int zoom, int capacity, int* counts, float2* points) {
  // TODO(student): the block's curve is curves[blockIdx.x]. Thread 0 stores its number of points. Then the threads
  // share the points: each takes every kThreads-th one, point_on(curve, i / (count - 1)), dividing floats. (5 lines)
}

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  // TODO(student): launch your kernel with a block for each curve, if there is one. Then delete the next line.
  warpbook::not_started();
}

// ---- Part 2: a child for each curve ---------------------------------------------------------------------------------

// The child: thread i of its grid computes point i of one curve.
__global__ void child_kernel(const Curve* curve, const Polyline* line) {
  // TODO(student): compute point i and store it in line->points, if the curve has a point i. (2 lines)
}

// What one thread of the parent does: allocates memory for a curve's points and launches the child that fills it.
__device__ void launch_child(const Curve* curve, int zoom, Polyline* line) {
  // TODO(student): fill *line: the number of points, and memory for them from malloc(). If malloc() gave memory, launch
  // child_kernel in the stream cudaStreamFireAndForget, with as many blocks as the points need. (4 lines)
}

__global__ void parent_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c < curve_count) launch_child(&curves[c], zoom, &lines[c]);
}

// Makes room for `launches` pending launches; by default the GPU has room for 2048, and drops those beyond it.
void make_room_for(int launches) {
  // TODO(student): ask cudaDeviceGetLimit() for cudaLimitDevRuntimePendingLaunchCount (a size_t). If it is smaller than
  // `launches`, raise it with cudaDeviceSetLimit(). (3 lines)
}

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  // TODO(student): delete the next line when the functions above are written. The rest is as it should be.
  warpbook::not_started();
  make_room_for(curve_count);
  if (curve_count > 0) parent_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines);
}

// TODO(student): a kernel with one thread for each polyline, which frees its points and sets the pointer to nullptr:
// only a kernel can free what a kernel allocated. (5 lines)

void release(Polyline* lines, int curve_count) {
  // TODO(student): launch your kernel, if there is a polyline. Then delete the next line.
  warpbook::not_started();
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
  // TODO(student): when every thread of the block has read its points and added its sum, one thread stores the length
  // in lengths[blockIdx.x] and frees the memory. (4 lines)
}

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  // TODO(student): thread c launches the child of curve c, if there is one. One thread of the whole grid launches
  // length_kernel, with a block for each curve, in the stream cudaStreamTailLaunch. (4 lines)
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  // TODO(student): make room for all launches, the tail too; launch measure_kernel as draw() launches its kernel. Then
  // delete the next line.
  warpbook::not_started();
}
