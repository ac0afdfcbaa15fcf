// The children go to the NULL stream, so those of one block run one after another.
#include "bezier.h"
#include "common/cuda/check.cuh"

constexpr int kThreads = 64;  // Threads in a block of every kernel here.

// The number of blocks that have a thread for each of `count` items.
__host__ __device__ int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Questions ------------------------------------------------------------------------------------------------------

int predict_children(int curves, int block_size) { return curves; }

int predict_children_at_once(int curves, int block_size) { return (curves + block_size - 1) / block_size; }

// ---- Part 1: room for the most --------------------------------------------------------------------------------------

// Block b draws curve b, whatever its number of points.
__global__ void fixed_kernel(const Curve* curves, int zoom, int capacity, int* counts, float2* points) {
  const Curve& curve = curves[blockIdx.x];
  const int count = points_needed(curve, zoom);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
  for (int i = threadIdx.x; i < count; i += kThreads)
    points[blockIdx.x * capacity + i] = point_on(curve, static_cast<float>(i) / (count - 1));
}

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  if (curve_count > 0) fixed_kernel<<<curve_count, kThreads>>>(curves, zoom, capacity, counts, points);
}

// ---- Part 2: a child for each curve ---------------------------------------------------------------------------------

// The child: thread i of its grid computes point i of one curve.
__global__ void child_kernel(const Curve* curve, const Polyline* line) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < line->count) line->points[i] = point_on(*curve, static_cast<float>(i) / (line->count - 1));
}

// What one thread of the parent does: allocates memory for a curve's points and launches the child that fills it.
__device__ void launch_child(const Curve* curve, int zoom, Polyline* line) {
  line->count = points_needed(*curve, zoom);
  line->points = static_cast<float2*>(malloc(line->count * sizeof(float2)));
  if (line->points != nullptr) child_kernel<<<blocks_for(line->count), kThreads, 0, nullptr>>>(curve, line);
}

__global__ void parent_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c < curve_count) launch_child(&curves[c], zoom, &lines[c]);
}

// Makes room for `launches` pending launches; by default the GPU has room for 2048, and drops those beyond it.
void make_room_for(int launches) {
  std::size_t room = 0;
  WB_CHECK(cudaDeviceGetLimit(&room, cudaLimitDevRuntimePendingLaunchCount));
  if (room < static_cast<std::size_t>(launches))
    WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches));
}

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  make_room_for(curve_count);
  if (curve_count > 0) parent_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines);
}

__global__ void release_kernel(Polyline* lines, int curve_count) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  free(lines[c].points);
  lines[c].points = nullptr;
}

void release(Polyline* lines, int curve_count) {
  if (curve_count > 0) release_kernel<<<blocks_for(curve_count), kThreads>>>(lines, curve_count);
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
  __syncthreads();
  if (threadIdx.x == 0) {
    lengths[blockIdx.x] = length;
    free(line.points);
  }
}

__global__ void measure_kernel(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= curve_count) return;
  launch_child(&curves[c], zoom, &lines[c]);
  if (c == 0) length_kernel<<<curve_count, kThreads, 0, cudaStreamTailLaunch>>>(lines, lengths);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  make_room_for(curve_count + 1);
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}

#undef nullptr

#define nullptr nullptr
