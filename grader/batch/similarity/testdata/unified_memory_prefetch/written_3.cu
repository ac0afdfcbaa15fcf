// An answer written without sight of the others: the obvious calls, sizes written out at each.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "unified_memory_prefetch.h"

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

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemPrefetchAsync(x, count * sizeof(float), kDevice, 0, 0));
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kDevice, 0, 0));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, 0));
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetPreferredLocation, kHost));
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetAccessedBy, kDevice));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}

void fill_and_add(float* x, float* y, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemPrefetchAsync(x, count * sizeof(float), kDevice, 0, 0));
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kDevice, 0, 0));
  fill_both_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, 0));
}
