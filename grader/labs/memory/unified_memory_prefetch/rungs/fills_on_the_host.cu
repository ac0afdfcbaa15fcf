// The first program that everyone writes: the host fills, and every page goes over the bus and back.
#include "common/cuda/check.cuh"
#include "unified_memory_prefetch.h"

constexpr int kThreads = 256;                           // Threads in a block.
[[maybe_unused]] constexpr int kWarps = kThreads / 32;  // Warps in a block.
[[maybe_unused]] constexpr int kChunk = 64 * 1024 / 4;  // Floats in 64 KiB, the least that a page fault brings.
[[maybe_unused]] constexpr cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0};
[[maybe_unused]] constexpr cudaMemLocation kHost{cudaMemLocationTypeHost, 0};

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Part 1: predict ------------------------------------------------------------------------------------------------

int predict_cpu_page_faults(int mebibytes) { return mebibytes / 2 * 6; }

int predict_kib_moved(int stride) { return stride <= 64 ? 8192 : 8192 / stride * 64; }

// ---- Part 2: first touch on the device ------------------------------------------------------------------------------

// Each warp fills a chunk of its own.
__global__ void fill_kernel(float* x, int count) {
  const int warp = blockIdx.x * kWarps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int begin = warp * kChunk;
  const int end = count - begin < kChunk ? count : begin + kChunk;
  for (int i = begin + lane; i < end; i += 32) x[i] = i % 1024;
}

void fill(float* x, int count) {
  const int chunks = (count + kChunk - 1) / kChunk;
  const int blocks = (chunks + kWarps - 1) / kWarps;
  if (blocks > 0) fill_kernel<<<blocks, kThreads>>>(x, count);
}

// ---- Part 3: prefetch -----------------------------------------------------------------------------------------------

__global__ void add_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, nullptr));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kHost, 0, nullptr));
}

// ---- Part 4: advice -------------------------------------------------------------------------------------------------

__global__ void gather_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  const std::size_t bytes = table_count * sizeof(float);
  WB_CHECK(cudaMemAdvise(table, bytes, cudaMemAdviseSetPreferredLocation, kHost));
  WB_CHECK(cudaMemAdvise(table, bytes, cudaMemAdviseSetAccessedBy, kDevice));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}

// ---- Part 5: all of it ----------------------------------------------------------------------------------------------

// One thread for each element: where the pages are there already, the order of threads does not matter.
__global__ void fill_both_kernel(float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  x[i] = i % 1024;
  y[i] = 1;
}

void fill_and_add(float* x, float* y, int count) {
  for (int i = 0; i < count; ++i) {
    x[i] = i % 1024;
    y[i] = 1;
  }
  if (count > 0) add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
}
