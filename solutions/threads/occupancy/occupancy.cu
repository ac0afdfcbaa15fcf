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
  // BEGIN SOLUTION
  // TODO(student): four limits: warps, blocks, registers, shared memory. The smallest counts. (13 lines)
  // SKELETON: warpbook::not_started();
  const int own = static_cast<int>(kernel.sharedSizeBytes), bytes = own + dynamic_bytes;
  const int opted_in = own + kernel.maxDynamicSharedSizeBytes;
  if (bytes > std::max(static_cast<int>(device.sharedMemPerBlock), opted_in)) return 0;

  const int warps = pieces(threads, 32);
  const int by_warps = device.maxThreadsPerMultiProcessor / 32 / warps;

  const int of_warp = round_up(32 * kernel.numRegs, kRegisterUnit);
  const int warps_of_file = device.regsPerMultiprocessor / kRegisterFiles / of_warp;
  const int by_registers = kRegisterFiles * warps_of_file / warps;

  const int of_block = round_up(bytes + static_cast<int>(device.reservedSharedMemPerBlock), kSharedUnit);
  const int by_shared = static_cast<int>(device.sharedMemPerMultiprocessor) / of_block;
  return std::min({by_warps, device.maxBlocksPerMultiProcessor, by_registers, by_shared});
  // END SOLUTION
}

int most_registers(int threads, int blocks) {
  // BEGIN SOLUTION
  // TODO(student): how many warps share a part of the registers? Each gets whole units of them. (4 lines)
  // SKELETON: warpbook::not_started();
  const int warps_of_file = pieces(blocks * pieces(threads, 32), kRegisterFiles);
  const int of_warp = 65536 / kRegisterFiles / warps_of_file / kRegisterUnit * kRegisterUnit;
  return std::min(of_warp / 32, 255);
  // END SOLUTION
}

int l1_kib(int blocks, int shared_bytes) {
  // BEGIN SOLUTION
  // TODO(student): what do the blocks take, and which is the first carve-out that holds it? (5 lines)
  // SKELETON: warpbook::not_started();
  const int bytes = blocks * round_up(shared_bytes + kSharedReserved, kSharedUnit);
  for (const int kib : {0, 8, 16, 32, 64, 100, 132, 164, 196})
    if (bytes <= 1024 * kib) return 256 - kib;
  return 256 - 228;
  // END SOLUTION
}

// ---- Part 2: ask CUDA -----------------------------------------------------------------------------------------------

// Given: dynamic shared memory of a block, as a function that CUDA's search can call.
struct BytesOfBlock {
  int per_block, per_thread;
  __host__ __device__ int operator()(int threads) const { return per_block + threads * per_thread; }
};

Launch choose_launch(const void* kernel, int bytes_per_block, int bytes_per_thread, int most_threads) {
  // BEGIN SOLUTION
  // TODO(student): let the kernel opt in to all dynamic shared memory that a block can have: sharedMemPerBlockOptin of
  // cudaDeviceProp, less its static part. Then ask cudaOccupancyMaxPotentialBlockSizeVariableSMem. (11 lines)
  // SKELETON: warpbook::not_started();
  cudaDeviceProp device{};
  cudaFuncAttributes attributes{};
  WB_CHECK(cudaGetDeviceProperties(&device, 0));
  WB_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  const int most = static_cast<int>(device.sharedMemPerBlockOptin - attributes.sharedSizeBytes);
  WB_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));

  const BytesOfBlock bytes{bytes_per_block, bytes_per_thread};
  Launch launch;
  WB_CHECK(
      cudaOccupancyMaxPotentialBlockSizeVariableSMem(&launch.blocks, &launch.threads, kernel, bytes, most_threads));
  launch.dynamic_bytes = bytes(launch.threads);
  return launch;
  // END SOLUTION
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

// BEGIN SOLUTION
// TODO(student): the compiler may use so many registers that a large block cannot be launched. Tell it the limit,
// between `void` and the name. (1 line)
// SKELETON: __global__ void smooth_any_block_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
__global__ void __launch_bounds__(1024)
    smooth_any_block_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
  // END SOLUTION
  smooth_strip<kStrip>(in, out, rows, columns, taps);
}

void smooth_any_block(const float* in, float* out, int rows, int columns, const Taps& taps, int threads) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when the kernel has its bounds. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const dim3 grid(pieces(columns, threads), pieces(rows, kStrip));
  if (rows > 0) smooth_any_block_kernel<<<grid, threads>>>(in, out, rows, columns, taps);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: less occupancy, less work ------------------------------------------------------------------------------

int predict_loads(int rows, int strip) {
  // BEGIN SOLUTION
  // TODO(student): each strip loads its rows and 31 more. (1 to 4 lines)
  // SKELETON: warpbook::not_started();
  return rows + pieces(rows, strip) * (kTaps - 1);
  // END SOLUTION
}

constexpr int kThreads = 256;

// BEGIN SOLUTION
// SKELETON: constexpr int kRows = 1;  // TODO(student): how many rows for each thread?
constexpr int kRows = 32;
// END SOLUTION

// BEGIN SOLUTION
// TODO(student): does the kernel need bounds?
// SKELETON: __global__ void smooth_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
__global__ void __launch_bounds__(kThreads, 4)
    smooth_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
  // END SOLUTION
  // BEGIN SOLUTION
  // TODO(student): as smooth_strip<kRows>, but no load waits for an if: where a row does not exist, load the last one
  // that does. The sums that get it are never stored. (13 lines)
  const int column = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kRows, last = rows + kTaps - 2;
  if (column >= columns) return;
  float sums[kRows] = {};
#pragma unroll
  for (int j = 0; j < kRows + kTaps - 1; ++j) {
    const float value = in[min(first + j, last) * columns + column];
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      if (j >= r && j - r < kTaps) sums[r] += taps.weights[j - r] * value;
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    if (first + r < rows) out[(first + r) * columns + column] = sums[r];
  // END SOLUTION
}

void smooth(const float* in, float* out, int rows, int columns, const Taps& taps) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const dim3 grid(pieces(columns, kThreads), pieces(rows, kRows));
  if (rows > 0) smooth_kernel<<<grid, kThreads>>>(in, out, rows, columns, taps);
  WB_CHECK(cudaGetLastError());
}
