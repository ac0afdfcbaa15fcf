// Lab roofline: two ceilings, six kernels below them, and one that moves.
// This is the only file you edit. What each function must do is in roofline.h, what to do first in README.md.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "roofline.h"

// ---- Part 1: the roofline by hand -----------------------------------------------------------------------------------

double predict_intensity(Kernel kernel, int size) {
  // BEGIN SOLUTION
  // TODO(student): FLOP of one element over its bytes, read and written, for each of the six. (15 lines)
  // SKELETON: warpbook::not_started();
  switch (kernel) {
    case Kernel::sum:
      return 1.0 / 4;
    case Kernel::saxpy:
      return 2.0 / (3 * 4);
    case Kernel::widen:
      return 2.0 / (2 + 4);
    case Kernel::window:
      return size / 8.0;
    case Kernel::polynomial:
      return 2.0 * size / 8;
    case Kernel::product:
      return 2.0 * size / 8;
  }
  return 0;
  // END SOLUTION
}

double predict_ridge(double gb_per_s, double gflop_per_s) {
  // BEGIN SOLUTION
  // TODO(student): which intensity takes as long to move as to compute? (1 line)
  // SKELETON: warpbook::not_started();
  return gflop_per_s / gb_per_s;
  // END SOLUTION
}

double predict_rate(double intensity, double gb_per_s, double gflop_per_s) {
  // BEGIN SOLUTION
  // TODO(student): the lower one of the two ceilings. (1 line)
  // SKELETON: warpbook::not_started();
  return std::min(intensity * gb_per_s, gflop_per_s);
  // END SOLUTION
}

double predict_gain(int passes, double flop, double gb_per_s, double gflop_per_s) {
  // BEGIN SOLUTION
  // TODO(student): a kernel takes as long as the slower of its two tasks, moving 8 bytes and computing. (3 lines)
  // SKELETON: warpbook::not_started();
  const double move = 8 / gb_per_s, compute = flop / gflop_per_s;
  return passes * std::max(move, compute) / std::max(move, passes * compute);
  // END SOLUTION
}

// ---- Part 2: the ceiling of bandwidth -------------------------------------------------------------------------------

constexpr int kThreads = 256;  // Threads in a block of parts 2 and 4.

__global__ void stream_kernel(const float* in, float* out, int n, float factor) {
  // BEGIN SOLUTION
  // TODO(student): a thread moves four neighbours as a float4; the first threads take what is left. (6 lines)
  const int i = blockIdx.x * kThreads + threadIdx.x, count = n / 4;
  if (i < count) {
    const float4 quad = reinterpret_cast<const float4*>(in)[i];
    reinterpret_cast<float4*>(out)[i] = {factor * quad.x, factor * quad.y, factor * quad.z, factor * quad.w};
  }
  if (i < n % 4) out[4 * count + i] = factor * in[4 * count + i];
  // END SOLUTION
}

void stream(const float* in, float* out, int n, float factor) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (n > 0) stream_kernel<<<(n + 4 * kThreads - 1) / (4 * kThreads), kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: the ceiling of arithmetic ------------------------------------------------------------------------------

constexpr int kChains = 8;  // Elements of a thread.

__global__ void fma_chains_kernel(const float* in, float* out, int n, int steps, float a, float b) {
  // BEGIN SOLUTION
  // TODO(student): load up to kChains elements, blockDim.x apart; do all steps; store them. An fma whose operand comes
  // from the fma before it waits for that: which loop is the outer one? (8 lines)
  const int threads = blockDim.x, first = blockIdx.x * threads * kChains + threadIdx.x;
  float x[kChains];
#pragma unroll
  for (int k = 0; k < kChains; ++k) x[k] = first + k * threads < n ? in[first + k * threads] : 0.0f;
#pragma unroll 4
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int k = 0; k < kChains; ++k) x[k] = fmaf(a, x[k], b);
#pragma unroll
  for (int k = 0; k < kChains; ++k)
    if (first + k * threads < n) out[first + k * threads] = x[k];
  // END SOLUTION
}

void fma_chains(const float* in, float* out, int n, int steps, float a, float b, int threads) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (n > 0) fma_chains_kernel<<<(n - 1) / (threads * kChains) + 1, threads>>>(in, out, n, steps, a, b);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: a kernel moved to the right ----------------------------------------------------------------------------

constexpr int kTile = 4 * kThreads;  // Elements of a block.

__global__ void smooth_kernel(const float* in, float* out, int n, float gain, float offset) {
  // BEGIN SOLUTION
  // TODO(student): bring u of the block's elements, and of one more at each end, into shared memory; wait; then do the
  // rest. (12 lines)
  __shared__ float u[kTile + 2];
  const int first = blockIdx.x * kTile, end = min(first + kTile, n);
  for (int i = first + threadIdx.x; i < end; i += kThreads) u[i - first + 1] = fmaf(gain, in[i], offset);
  if (threadIdx.x == 0) u[0] = fmaf(gain, in[max(first - 1, 0)], offset);
  if (threadIdx.x == 32) u[end - first + 1] = fmaf(gain, in[min(end, n - 1)], offset);
  __syncthreads();
  for (int i = first + threadIdx.x; i < end; i += kThreads) {
    const float* middle = u + i - first + 1;
    const float v = (middle[-1] + middle[0] + middle[1]) * (1.0f / 3);
    out[i] = fmaf(v, v, v);
  }
  // END SOLUTION
}

void smooth(const float* in, float* scratch, float* out, int n, float gain, float offset) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  static_cast<void>(scratch);  // Only more passes would need it.
  if (n > 0) smooth_kernel<<<(n + kTile - 1) / kTile, kThreads>>>(in, out, n, gain, offset);
  WB_CHECK(cudaGetLastError());
}
