// Lab occupancy: how many blocks a multiprocessor holds, what decides it, and when fewer are better.
// This is the only file you edit. What each function must do is in occupancy.h, what to do first in README.md.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "occupancy.h"

// Given: how many pieces of `size` n is; n as a multiple of `unit`.
constexpr int pieces(int n, int size) { return (n + size - 1) / size; }
constexpr int round_up(int n, int unit) { return pieces(n, unit) * unit; }

// ---- Part 1: what fits ----------------------------------------------------------------------------------------------

int blocks_per_multiprocessor(const cudaDeviceProp& device, const cudaFuncAttributes& kernel, int threads,
                              int dynamic_bytes) {
  // TODO(student): four limits: warps, blocks, registers, shared memory. The smallest counts. (13 lines)
  warpbook::not_started();
}

int most_registers(int threads, int blocks) {
  // TODO(student): how many warps share a part of the registers? Each gets whole units of them. (4 lines)
  warpbook::not_started();
}

int l1_kib(int blocks, int shared_bytes) {
  // TODO(student): what do the blocks take, and which is the first carve-out that holds it? (5 lines)
  warpbook::not_started();
}

// ---- Part 2: ask CUDA -----------------------------------------------------------------------------------------------

// Given: dynamic shared memory of a block, as a function that CUDA's search can call.
struct BytesOfBlock {
  int per_block, per_thread;
  __host__ __device__ int operator()(int threads) const { return per_block + threads * per_thread; }
};

Launch choose_launch(const void* kernel, int bytes_per_block, int bytes_per_thread, int most_threads) {
  // TODO(student): let the kernel opt in to all dynamic shared memory that a block can have: sharedMemPerBlockOptin of
  // cudaDeviceProp, less its static part. Then ask cudaOccupancyMaxPotentialBlockSizeVariableSMem. (11 lines)
  warpbook::not_started();
}

// ---- Part 3: a promise to the compiler ------------------------------------------------------------------------------

// Given: makes kRows rows of a column. Row `first + j` of `in` is loaded once and added to all sums that need it. The
// loops are unrolled, so that all indices are constants, and sums are in registers. Rows past the end are left out.
template <int kRows>
__device__ void smooth_strip(const float* in, float* out, int rows, int columns, const Taps& taps) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * kRows;
  if (column >= columns) return;
  float sums[kRows] = {};
#pragma unroll
  for (int j = 0; j < kRows + kTaps - 1; ++j)
    if (first + j < rows + kTaps - 1) {
      const float value = in[(first + j) * columns + column];
#pragma unroll
      for (int r = 0; r < kRows; ++r)
        if (j >= r && j - r < kTaps) sums[r] += taps.weights[j - r] * value;
    }
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    if (first + r < rows) out[(first + r) * columns + column] = sums[r];
}

// TODO(student): the compiler may use so many registers that a large block cannot be launched. Tell it the limit,
// between `void` and the name. (1 line)
__global__ void smooth_any_block_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
  smooth_strip<kStrip>(in, out, rows, columns, taps);
}

void smooth_any_block(const float* in, float* out, int rows, int columns, const Taps& taps, int threads) {
  // TODO(student): delete the next line when the kernel has its bounds. The launch below is as it should be.
  warpbook::not_started();
  const dim3 grid(pieces(columns, threads), pieces(rows, kStrip));
  if (rows > 0) smooth_any_block_kernel<<<grid, threads>>>(in, out, rows, columns, taps);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: less occupancy, less work ------------------------------------------------------------------------------

int predict_loads(int rows, int strip) {
  // TODO(student): each strip loads its rows and 31 more. (1 to 4 lines)
  warpbook::not_started();
}

constexpr int kThreads = 256;

constexpr int kRows = 1;  // TODO(student): how many rows for each thread?

// TODO(student): does the kernel need bounds?
__global__ void smooth_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
  // TODO(student): as smooth_strip<kRows>, but no load waits for an if: where a row does not exist, load the last one
  // that does. The sums that get it are never stored. (13 lines)
}

void smooth(const float* in, float* out, int rows, int columns, const Taps& taps) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  const dim3 grid(pieces(columns, kThreads), pieces(rows, kRows));
  if (rows > 0) smooth_kernel<<<grid, kThreads>>>(in, out, rows, columns, taps);
  WB_CHECK(cudaGetLastError());
}
