// Lab roofline: two ceilings, six kernels below them, and one that moves.
// This is the only file you edit. What each function must do is in roofline.h, what to do first in README.md.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "roofline.h"

// ---- Part 1: the roofline by hand -----------------------------------------------------------------------------------

double predict_intensity(Kernel kernel, int size) {
  // TODO(student): FLOP of one element over its bytes, read and written, for each of the six. (15 lines)
  warpbook::not_started();
}

double predict_ridge(double gb_per_s, double gflop_per_s) {
  // TODO(student): which intensity takes as long to move as to compute? (1 line)
  warpbook::not_started();
}

double predict_rate(double intensity, double gb_per_s, double gflop_per_s) {
  // TODO(student): the lower one of the two ceilings. (1 line)
  warpbook::not_started();
}

double predict_gain(int passes, double flop, double gb_per_s, double gflop_per_s) {
  // TODO(student): a kernel takes as long as the slower of its two tasks, moving 8 bytes and computing. (3 lines)
  warpbook::not_started();
}

// ---- Part 2: the ceiling of bandwidth -------------------------------------------------------------------------------

constexpr int kThreads = 256;  // Threads in a block of parts 2 and 4.

__global__ void stream_kernel(const float* in, float* out, int n, float factor) {
  // TODO(student): a thread moves four neighbours as a float4; the first threads take what is left. (6 lines)
}

void stream(const float* in, float* out, int n, float factor) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (n > 0) stream_kernel<<<(n + 4 * kThreads - 1) / (4 * kThreads), kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: the ceiling of arithmetic ------------------------------------------------------------------------------

constexpr int kChains = 8;  // Elements of a thread.

__global__ void fma_chains_kernel(const float* in, float* out, int n, int steps, float a, float b) {
  // TODO(student): load up to kChains elements, blockDim.x apart; do all steps; store them. An fma whose operand comes
  // from the fma before it waits for that: which loop is the outer one? (8 lines)
}

void fma_chains(const float* in, float* out, int n, int steps, float a, float b, int threads) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (n > 0) fma_chains_kernel<<<(n - 1) / (threads * kChains) + 1, threads>>>(in, out, n, steps, a, b);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: a kernel moved to the right ----------------------------------------------------------------------------

constexpr int kTile = 4 * kThreads;  // Elements of a block.

__global__ void smooth_kernel(const float* in, float* out, int n, float gain, float offset) {
  // TODO(student): bring u of the block's elements, and of one more at each end, into shared memory; wait; then do the
  // rest. (12 lines)
}

void smooth(const float* in, float* scratch, float* out, int n, float gain, float offset) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  static_cast<void>(scratch);  // Only more passes would need it.
  if (n > 0) smooth_kernel<<<(n + kTile - 1) / kTile, kThreads>>>(in, out, n, gain, offset);
  WB_CHECK(cudaGetLastError());
}
