// Asynchronous copies into shared memory: bytes in flight that need no registers.
#include <cuda_pipeline.h>

#include <cmath>

#include "bytes_in_flight.h"

namespace {

constexpr int kThreads = 256, kAtOnce = 16;

/// Each thread waits for its own copies only, and reads no other thread's.
template <class T, int kCopies>
__device__ void scale_all(const T* in, T* out, int count, float factor) {
  __shared__ T slots[kCopies * kThreads];
  const int threads = gridDim.x * kThreads;
  for (int first = blockIdx.x * kThreads + threadIdx.x; first < count; first += kCopies * threads) {
    for (int k = 0, i = first; k < kCopies && i < count; ++k, i += threads)
      __pipeline_memcpy_async(&slots[k * kThreads + threadIdx.x], in + i, sizeof(T));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k = 0, i = first; k < kCopies && i < count; ++k, i += threads) {
      T value = slots[k * kThreads + threadIdx.x];
      for (std::size_t part = 0; part < sizeof(T) / sizeof(float); ++part)
        reinterpret_cast<float*>(&value)[part] *= factor;
      out[i] = value;
    }
  }
}

__global__ void scale_floats(const float* in, float* out, int n, float factor) {
  scale_all<float, kAtOnce>(in, out, n, factor);
}

__global__ void scale_quads(const float* in, float* out, int n, float factor) {
  scale_all<float4, kAtOnce / 4>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4, factor);
  const int i = n - n % 4 + threadIdx.x;
  if (blockIdx.x == 0 && i < n) out[i] = factor * in[i];
}

__global__ void scale_one_at_a_time(const float* in, float* out, int n, float factor) {
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) out[i] = factor * in[i];
}

}  // namespace

int predict_bytes_in_flight(int warps, int loads, int bytes) { return (warps * loads * bytes) << 5; }

int predict_bytes_needed(double gb_per_s, double latency_ns, int multiprocessors) {
  return static_cast<int>(std::ceil(gb_per_s * latency_ns / multiprocessors));
}

int predict_loads_needed(int warps, int bytes, int needed) {
  return 1 + (needed - 1) / predict_bytes_in_flight(warps, 1, bytes);
}

void scale_by_threads(const float* in, float* out, int n, float factor) {
  int multiprocessors = 0, blocks = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale_one_at_a_time, kThreads, 0);
  if (n > 0) scale_one_at_a_time<<<blocks * multiprocessors, kThreads>>>(in, out, n, factor);
}

void scale_by_loads(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_floats<<<blocks, kThreads>>>(in, out, n, factor);
}

void scale(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_quads<<<blocks, kThreads>>>(in, out, n, factor);
}
