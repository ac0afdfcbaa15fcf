// Other ways to do the same: a block that is tried again and again, a sweep instead of CUDA's search, loads
// that a predicate leaves out, and one kernel for parts 3 and 4.
#include <algorithm>

#include "occupancy.h"

namespace {

int up(int n, int unit) { return (n + unit - 1) / unit * unit; }

// Whatever the block, a thread makes 32 rows; its loads wait for no branch.
__global__ void __launch_bounds__(1024, 1) strip(const float* in, float* out, int rows, int columns, Taps taps) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * kStrip;
  if (column >= columns) return;
  float sums[kStrip] = {};
#pragma unroll
  for (int j = 0; j < kStrip + kTaps - 1; ++j) {
    const float value = first + j < rows + kTaps - 1 ? in[(first + j) * columns + column] : 0;
#pragma unroll
    for (int r = 0; r < kStrip; ++r)
      if (j >= r && j - r < kTaps) sums[r] += taps.weights[j - r] * value;
  }
#pragma unroll
  for (int r = 0; r < kStrip; ++r)
    if (first + r < rows) out[(first + r) * columns + column] = sums[r];
}

}  // namespace

int blocks_per_multiprocessor(const cudaDeviceProp& device, const cudaFuncAttributes& kernel, int threads,
                              int dynamic_bytes) {
  const std::size_t bytes = kernel.sharedSizeBytes + dynamic_bytes;
  if (bytes > device.sharedMemPerBlock && dynamic_bytes > kernel.maxDynamicSharedSizeBytes) return 0;
  const int warps = up(threads, 32) / 32, registers = up(kernel.numRegs, kRegisterUnit / 32) * 32;
  const std::size_t shared = up(static_cast<int>(bytes + device.reservedSharedMemPerBlock), kSharedUnit);
  int blocks = 0;
  const auto fits = [&](int count) {
    const int of_file = up(count * warps, kRegisterFiles) / kRegisterFiles;  // Warps in the fullest part.
    return count <= device.maxBlocksPerMultiProcessor && count * warps * 32 <= device.maxThreadsPerMultiProcessor &&
           of_file * registers <= device.regsPerMultiprocessor / kRegisterFiles &&
           count * shared <= device.sharedMemPerMultiprocessor;
  };
  while (fits(blocks + 1)) ++blocks;
  return blocks;
}

int most_registers(int threads, int blocks) {
  const int warps = up(blocks * (up(threads, 32) / 32), 4) / 4;
  int registers = 256;
  while (warps * registers * 32 > 16384) registers -= 8;
  return std::min(registers, 255);
}

int l1_kib(int blocks, int shared_bytes) {
  const int kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  const int units = blocks * (up(shared_bytes, kSharedUnit) / kSharedUnit + 8);
  return 256 - *std::lower_bound(kib, kib + 9, (units + 7) / 8);
}

Launch choose_launch(const void* kernel, int bytes_per_block, int bytes_per_thread, int most_threads) {
  int multiprocessors = 0, optin = 0, best = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, kernel);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       optin - static_cast<int>(attributes.sharedSizeBytes));
  Launch launch;
  for (int threads = 32; threads <= most_threads; threads += 32) {
    int blocks = 0;
    const int bytes = bytes_per_block + threads * bytes_per_thread;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
    if (blocks * threads >= best) launch = {threads, blocks * multiprocessors, bytes}, best = blocks * threads;
  }
  return launch;
}

void smooth_any_block(const float* in, float* out, int rows, int columns, const Taps& taps, int threads) {
  if (rows == 0) return;
  strip<<<dim3(up(columns, threads) / threads, up(rows, kStrip) / kStrip), threads>>>(in, out, rows, columns, taps);
}

int predict_loads(int rows, int strip) {
  int loads = 0;
  for (int first = 0; first < rows; first += strip) loads += std::min(strip, rows - first) + 31;
  return loads;
}

void smooth(const float* in, float* out, int rows, int columns, const Taps& taps) {
  smooth_any_block(in, out, rows, columns, taps, 64);
}
