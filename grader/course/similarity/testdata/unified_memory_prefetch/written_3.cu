// An answer written without sight of the others: the obvious calls, sizes written out at each.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "unified_memory_prefetch.h"

constexpr int kThreads = 256;                           // Threads in a block.
[[maybe_unused]] constexpr int kWarps = kThreads / 32;  // Warps in a block.
[[maybe_unused]] constexpr int kChunk = 64 * 1024 / 4;  // Floats in 64 KiB, the least that a page fault brings.
[[maybe_unused]] constexpr cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0};
[[maybe_unused]] constexpr cudaMemLocation kHost{cudaMemLocationTypeHost, 0};

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

int predict_cpu_page_faults(int mebibytes) { return mebibytes * 3; }

int predict_kib_moved(int stride) { return 8192 / std::max(64, stride) * 64; }

__global__ void fill_kernel(float* x, int count) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32 + blockIdx.x * kWarps;
  for (int k = 0; k < kChunk; k += 32) {
    const int i = warp * kChunk + k + lane;
    if (i < count) x[i] = i % 1024;
  }
}

void fill(float* x, int count) {
  const int per_block = kWarps * kChunk;
  const int blocks = (count + per_block - 1) / per_block;
  if (blocks > 0) {
    fill_kernel<<<blocks, kThreads>>>(x, count);
  }
}

__global__ void add_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemPrefetchAsync(x, count * sizeof(float), kDevice, 0, 0));
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kDevice, 0, 0));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, 0));
}

__global__ void gather_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetPreferredLocation, kHost));
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetAccessedBy, kDevice));
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
  WB_CHECK(cudaMemPrefetchAsync(x, count * sizeof(float), kDevice, 0, 0));
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kDevice, 0, 0));
  fill_both_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, 0));
}
