// Tables in place of formulas, a loop over the grid, two groups of four chains, and a tile of what was loaded.
#include <algorithm>

#include "roofline.h"

namespace {

__global__ void scale_in_turns(const float* in, float* out, int n, float factor) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); 4 * i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    if (4 * i + 3 < n) {
      float4 quad = reinterpret_cast<const float4*>(in)[i];
      quad.x *= factor;
      quad.y *= factor;
      quad.z *= factor;
      quad.w *= factor;
      reinterpret_cast<float4*>(out)[i] = quad;
    } else {
      for (int k = 4 * i; k < n; ++k) out[k] = factor * in[k];
    }
  }
}

/// Four elements of a thread, `apart` from one another.
__device__ void four_chains(const float* in, float* out, int first, int apart, int n, int steps, float a, float b) {
  float x[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) x[k] = first + k * apart < n ? in[first + k * apart] : 0.0f;
#pragma unroll 8
  for (int step = 0; step < steps; ++step) {
    x[0] = a * x[0] + b;
    x[1] = a * x[1] + b;
    x[2] = a * x[2] + b;
    x[3] = a * x[3] + b;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * apart < n) out[first + k * apart] = x[k];
}

__global__ void four_at_a_time(const float* in, float* out, int n, int steps, float a, float b) {
  const int threads = static_cast<int>(blockDim.x), first = static_cast<int>(8 * blockIdx.x * threads + threadIdx.x);
  four_chains(in, out, first, threads, n, steps, a, b);
  four_chains(in, out, first + 4 * threads, threads, n, steps, a, b);
}

/// The tile holds what was loaded; u is computed where it is used.
__global__ void smooth_loaded(const float* in, float* out, int n, float gain, float offset) {
  extern __shared__ float tile[];
  const int threads = static_cast<int>(blockDim.x), own = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * 4 * threads, count = min(4 * threads, n - first);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (own + k * threads < count) tile[own + k * threads + 1] = in[first + own + k * threads];
  if (own == threads - 1) tile[0] = in[max(first - 1, 0)];
  if (own == threads - 33) tile[count + 1] = in[min(first + count, n - 1)];
  __syncthreads();
  for (int k = own; k < count; k += threads) {
    const float v = gain * (tile[k] + tile[k + 1] + tile[k + 2]) / 3 + offset;
    out[first + k] = v * (v + 1);
  }
}

}  // namespace

double predict_intensity(Kernel kernel, int size) {
  const double flop[] = {1, 2, 2, 1.0 * size, 2.0 * size, 2.0 * size}, bytes[] = {4, 12, 6, 8, 8, 8};
  return flop[static_cast<int>(kernel)] / bytes[static_cast<int>(kernel)];
}

double predict_ridge(double gb_per_s, double gflop_per_s) { return 1 / (gb_per_s / gflop_per_s); }

double predict_rate(double intensity, double gb_per_s, double gflop_per_s) {
  return intensity < predict_ridge(gb_per_s, gflop_per_s) ? intensity * gb_per_s : gflop_per_s;
}

double predict_gain(int passes, double flop, double gb_per_s, double gflop_per_s) {
  return predict_rate(passes * flop / 8, gb_per_s, gflop_per_s) / predict_rate(flop / 8, gb_per_s, gflop_per_s);
}

void stream(const float* in, float* out, int n, float factor) {
  if (n > 0) scale_in_turns<<<std::min(1056, n / 512 + 1), 256>>>(in, out, n, factor);
}

void fma_chains(const float* in, float* out, int n, int steps, float a, float b, int threads) {
  if (n > 0) four_at_a_time<<<(n + 8 * threads - 1) / (8 * threads), threads>>>(in, out, n, steps, a, b);
}

void smooth(const float* in, float* scratch, float* out, int n, float gain, float offset) {
  static_cast<void>(scratch);
  if (n > 0) smooth_loaded<<<(n + 2047) / 2048, 512, 2050 * sizeof(float)>>>(in, out, n, gain, offset);
}
