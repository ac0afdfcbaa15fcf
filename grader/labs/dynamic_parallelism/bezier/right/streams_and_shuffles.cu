// Children of 128 threads in a stream of their own each, lengths by shuffles, the tail launched by the last thread.
#include <algorithm>

#include "bezier.h"

namespace {

template <class Write>
__device__ void draw_points(const Curve& curve, int count, Write write) {
  const float last = static_cast<float>(count - 1);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    write(i, point_on(curve, static_cast<float>(i) / last));
}

__global__ void fixed(const Curve* curves, int zoom, int capacity, int* counts, float2* points) {
  const int c = blockIdx.y;
  const int count = points_needed(curves[c], zoom);
  if (blockIdx.x == 0 && threadIdx.x == 0) counts[c] = count;
  draw_points(curves[c], count, [&](int i, float2 point) { points[c * capacity + i] = point; });
}

__global__ void child(Curve curve, int count, float2* points) {
  draw_points(curve, count, [&](int i, float2 point) { points[i] = point; });
}

__device__ void start(const Curve& curve, int zoom, Polyline& line) {
  const int count = points_needed(curve, zoom);
  auto* points = static_cast<float2*>(malloc(sizeof(float2) * count));
  line = {count, points};
  if (points == nullptr) return;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  child<<<(count + 127) / 128, 128, 0, stream>>>(curve, count, points);
  cudaStreamDestroy(stream);
}

__global__ void parents(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  if (const int c = blockIdx.x * blockDim.x + threadIdx.x; c < curve_count) start(curves[c], zoom, lines[c]);
}

__global__ void give_back(Polyline* lines, int curve_count) {
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < curve_count; c += gridDim.x * blockDim.x) {
    free(lines[c].points);
    lines[c].points = nullptr;
  }
}

/// A warp for each polyline.
__global__ void lengths_of(const Polyline* lines, int curve_count, float* lengths) {
  const int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (c >= curve_count) return;
  const Polyline line = lines[c];
  float sum = 0;
  for (int i = lane; i < line.count - 1; i += 32) {
    const float2 u = line.points[i], v = line.points[i + 1];
    sum += sqrtf((v.x - u.x) * (v.x - u.x) + (v.y - u.y) * (v.y - u.y));
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane != 0) return;
  lengths[c] = sum;
  free(line.points);
}

__global__ void measure(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < curve_count) start(curves[c], zoom, lines[c]);
  if (c == curve_count - 1)
    lengths_of<<<(curve_count + 3) / 4, 128, 0, cudaStreamTailLaunch>>>(lines, curve_count, lengths);
}

}  // namespace

int predict_children(int curves, int) { return curves; }
int predict_children_at_once(int curves, int block_size) { return 1 + (curves - 1) / block_size; }

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  if (curve_count > 0) fixed<<<dim3(4, curve_count), 32>>>(curves, zoom, capacity, counts, points);
}

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, std::max(2048, curve_count));
  if (curve_count > 0) parents<<<(curve_count + 127) / 128, 128>>>(curves, curve_count, zoom, lines);
}

void release(Polyline* lines, int curve_count) {
  if (curve_count > 0) give_back<<<std::min(132, curve_count), 32>>>(lines, curve_count);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, std::max(2048, curve_count + 1));
  if (curve_count > 0) measure<<<(curve_count + 31) / 32, 32>>>(curves, curve_count, zoom, lines, lengths);
}
