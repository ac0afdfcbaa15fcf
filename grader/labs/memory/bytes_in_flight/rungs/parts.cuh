// What the rungs share: the solution but for scale(), and kernels with any number of loads, narrow or wide.
#define scale solution_scale
#include "solutions/memory/bytes_in_flight/bytes_in_flight.cu"
#undef scale

__device__ inline float times(float factor, float value) { return factor * value; }

__device__ inline float4 times(float factor, float4 value) {
  return make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
}

/// A turn takes kAtOnce elements, and the compiler is told not to take more.
template <int kAtOnce, class T>
__device__ void scale_elements(const T* in, T* out, int count, float factor) {
  const int threads = gridDim.x * kThreads;
#pragma unroll 1
  for (int first = blockIdx.x * kThreads + threadIdx.x; first < count; first += kAtOnce * threads) {
    T values[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (first + k * threads < count) values[k] = in[first + k * threads];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (first + k * threads < count) out[first + k * threads] = times(factor, values[k]);
  }
}

template <int kAtOnce>
__global__ void scale_narrow(const float* in, float* out, int n, float factor) {
  scale_elements<kAtOnce>(in, out, n, factor);
}

template <int kAtOnce>
__global__ void scale_wide(const float* in, float* out, int n, float factor) {
  scale_elements<kAtOnce>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4, factor);
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  if (thread < n % 4) out[n / 4 * 4 + thread] = factor * in[n / 4 * 4 + thread];
}
