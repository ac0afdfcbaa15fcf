// Lab bytes_in_flight: enough bytes on their way, by more threads, more loads in each, or wider ones.
// This is the only file you edit. What each function must do is in bytes_in_flight.h, what to do first in README.md.
#include <cmath>

#include "bytes_in_flight.h"
#include "common/cuda/check.cuh"

constexpr int kThreads = 256;  // Threads in a block.

// ---- Part 1: Little's law -------------------------------------------------------------------------------------------

int predict_bytes_in_flight(int warps, int loads, int bytes) {
  // BEGIN SOLUTION
  // TODO(student): a warp has 32 lanes. Answer with one line in place of the next one.
  // SKELETON: warpbook::not_started();
  return warps * 32 * loads * bytes;
  // END SOLUTION
}

int predict_bytes_needed(double gb_per_s, double latency_ns, int multiprocessors) {
  // BEGIN SOLUTION
  // TODO(student): 1 GB/s is 1 byte in a nanosecond. How many arrive while one is on its way? (1 line)
  // SKELETON: warpbook::not_started();
  return static_cast<int>(std::ceil(gb_per_s * latency_ns / multiprocessors));
  // END SOLUTION
}

int predict_loads_needed(int warps, int bytes, int needed) {
  // BEGIN SOLUTION
  // TODO(student): how many bytes is one load of every thread? (2 lines)
  // SKELETON: warpbook::not_started();
  const int of_one = predict_bytes_in_flight(warps, 1, bytes);
  return (needed + of_one - 1) / of_one;
  // END SOLUTION
}

// ---- Part 2: many threads -------------------------------------------------------------------------------------------

__global__ void scale_by_threads_kernel(const float* in, float* out, int n, float factor) {
  // BEGIN SOLUTION
  // TODO(student): a grid-stride loop: begin at the thread's number, advance by the number of threads. (3 lines)
  const int threads = gridDim.x * kThreads;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += threads) out[i] = factor * in[i];
  // END SOLUTION
}

void scale_by_threads(const float* in, float* out, int n, float factor) {
  // BEGIN SOLUTION
  // TODO(student): ask cudaDeviceGetAttribute for cudaDevAttrMultiProcessorCount of device 0, and launch 8 blocks for
  // each. Then delete the next line. (4 lines)
  // SKELETON: warpbook::not_started();
  int multiprocessors = 0;
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  if (n > 0) scale_by_threads_kernel<<<8 * multiprocessors, kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
  // END SOLUTION
}

// ---- Part 3: many loads in each thread ------------------------------------------------------------------------------

// BEGIN SOLUTION
// SKELETON: constexpr int kLoads = 1;  // TODO(student): how many loads of 4 bytes must 8 warps have under way?
constexpr int kLoads = 16;
// END SOLUTION

__global__ void scale_by_loads_kernel(const float* in, float* out, int n, float factor) {
  // BEGIN SOLUTION
  // TODO(student): the same loop, but each turn takes kLoads elements, `threads` apart: first load all of them into an
  // array of floats, then store all of them. No element at or beyond n. (10 lines)
  const int threads = gridDim.x * kThreads;
  for (int first = blockIdx.x * kThreads + threadIdx.x; first < n; first += kLoads * threads) {
    float values[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k)
      if (first + k * threads < n) values[k] = in[first + k * threads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k)
      if (first + k * threads < n) out[first + k * threads] = factor * values[k];
  }
  // END SOLUTION
}

void scale_by_loads(const float* in, float* out, int n, float factor, int blocks) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (n > 0) scale_by_loads_kernel<<<blocks, kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: wide loads ---------------------------------------------------------------------------------------------

// BEGIN SOLUTION
// SKELETON: constexpr int kWideLoads = 1;  // TODO(student): how many loads of 16 bytes?
constexpr int kWideLoads = 4;
// END SOLUTION

__global__ void scale_kernel(const float* in, float* out, int n, float factor) {
  // BEGIN SOLUTION
  // TODO(student): as part 3, with float4 and kWideLoads. Up to three floats are left at the end of the arrays: the
  // first threads of the grid take one each. (15 lines)
  const float4* quads = reinterpret_cast<const float4*>(in);
  float4* results = reinterpret_cast<float4*>(out);
  const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads, count = n / 4;
  for (int first = thread; first < count; first += kWideLoads * threads) {
    float4 values[kWideLoads];
#pragma unroll
    for (int k = 0; k < kWideLoads; ++k)
      if (first + k * threads < count) values[k] = quads[first + k * threads];
#pragma unroll
    for (int k = 0; k < kWideLoads; ++k)
      if (first + k * threads < count)
        results[first + k * threads] =
            make_float4(factor * values[k].x, factor * values[k].y, factor * values[k].z, factor * values[k].w);
  }
  if (thread < n % 4) out[4 * count + thread] = factor * in[4 * count + thread];
  // END SOLUTION
}

void scale(const float* in, float* out, int n, float factor, int blocks) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (n > 0) scale_kernel<<<blocks, kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
}
