// The loads of the next turn are asked for before the stores of this one, so that some are always under way.
#include <cmath>

#include "bytes_in_flight.h"

namespace {

constexpr int kThreads = 256;

__device__ float product(float factor, float value) { return factor * value; }
__device__ float4 product(float factor, float4 value) {
  return {factor * value.x, factor * value.y, factor * value.z, factor * value.w};
}

/// Elements from `first` on, a grid apart.
template <int kAtOnce, class T>
__device__ void fetch(T (&values)[kAtOnce], const T* in, int first, int threads, int count) {
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k)
    if (first + k * threads < count) values[k] = in[first + k * threads];
}

template <int kAtOnce, class T>
__device__ void scale_all(const T* in, T* out, int count, float factor) {
  const int threads = gridDim.x * kThreads;
  T now[kAtOnce] = {}, next[kAtOnce] = {};
  int first = blockIdx.x * kThreads + threadIdx.x;
  fetch(now, in, first, threads, count);
  for (; first < count; first += kAtOnce * threads) {
    fetch(next, in, first + kAtOnce * threads, threads, count);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k * threads < count) out[first + k * threads] = product(factor, now[k]);
      now[k] = next[k];
    }
  }
}

template <int kAtOnce>
__global__ void scale_floats(const float* in, float* out, int n, float factor) {
  scale_all<kAtOnce>(in, out, n, factor);
}

__global__ void scale_quads(const float* in, float* out, int n, float factor) {
  scale_all<4>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4, factor);
  const int i = n - 1 - static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (i >= n / 4 * 4) out[i] = factor * in[i];
}

}  // namespace

int predict_bytes_in_flight(int warps, int loads, int bytes) { return bytes * loads * 32 * warps; }

int predict_bytes_needed(double gb_per_s, double latency_ns, int multiprocessors) {
  const double bytes = gb_per_s * latency_ns / multiprocessors;
  return static_cast<int>(bytes) + (bytes > static_cast<int>(bytes) ? 1 : 0);
}

int predict_loads_needed(int warps, int bytes, int needed) {
  int loads = 1;
  while (predict_bytes_in_flight(warps, loads, bytes) < needed) ++loads;
  return loads;
}

void scale_by_threads(const float* in, float* out, int n, float factor) {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const int blocks = device.multiProcessorCount * device.maxThreadsPerMultiProcessor / kThreads;
  if (n > 0) scale_floats<1><<<blocks, kThreads>>>(in, out, n, factor);
}

void scale_by_loads(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_floats<16><<<blocks, kThreads>>>(in, out, n, factor);
}

void scale(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_quads<<<blocks, kThreads>>>(in, out, n, factor);
}
