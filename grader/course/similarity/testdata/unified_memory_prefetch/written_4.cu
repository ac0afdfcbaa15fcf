// An answer written without sight of the others: the obvious calls, a size in a variable, streams as null pointers.
#include "common/cuda/check.cuh"
#include "unified_memory_prefetch.h"

constexpr int kThreads = 256;                           // Threads in a block.
[[maybe_unused]] constexpr int kWarps = kThreads / 32;  // Warps in a block.
[[maybe_unused]] constexpr int kChunk = 64 * 1024 / 4;  // Floats in 64 KiB, the least that a page fault brings.
[[maybe_unused]] constexpr cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0};
[[maybe_unused]] constexpr cudaMemLocation kHost{cudaMemLocationTypeHost, 0};

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

int predict_cpu_page_faults(int mebibytes) {
  int blocks = mebibytes / 2;
  return blocks * 6;
}

int predict_kib_moved(int stride) {
  int pieces = 128;
  if (stride > 64) pieces = 8192 / stride;
  return pieces * 64;
}

__global__ void fill_kernel(float* x, int count) {
  int warp = blockIdx.x * 8 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  int start = warp * kChunk;
  int stop = start + kChunk;
  if (stop > count) stop = count;
  for (int i = start + lane; i < stop; i += 32) x[i] = i % 1024;
}

void fill(float* x, int count) {
  int chunks = (count + kChunk - 1) / kChunk;
  if (chunks == 0) return;
  fill_kernel<<<(chunks + 7) / 8, kThreads>>>(x, count);
}

__global__ void add_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  size_t size = sizeof(float) * count;
  WB_CHECK(cudaMemPrefetchAsync(x, size, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, size, kDevice, 0, nullptr));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, size, kHost, 0, nullptr));
}

__global__ void gather_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  size_t size = sizeof(float) * table_count;
  WB_CHECK(cudaMemAdvise(table, size, cudaMemAdviseSetPreferredLocation, kHost));
  WB_CHECK(cudaMemAdvise(table, size, cudaMemAdviseSetAccessedBy, kDevice));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}

__global__ void fill_both_kernel(float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  x[i] = i % 1024;
  y[i] = 1;
}

void fill_and_add(float* x, float* y, int count) {
  if (count == 0) return;
  size_t size = sizeof(float) * count;
  WB_CHECK(cudaMemPrefetchAsync(x, size, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, size, kDevice, 0, nullptr));
  fill_both_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, size, kHost, 0, nullptr));
}
