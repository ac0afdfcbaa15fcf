// An answer written without sight of the others: helpers of its own, a block's threads spelled out.
#include "common/cuda/check.cuh"
#include "unified_memory_prefetch.h"

constexpr int kThreads = 256;                           // Threads in a block.
[[maybe_unused]] constexpr int kWarps = kThreads / 32;  // Warps in a block.
[[maybe_unused]] constexpr int kChunk = 64 * 1024 / 4;  // Floats in 64 KiB, the least that a page fault brings.
[[maybe_unused]] constexpr cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0};
[[maybe_unused]] constexpr cudaMemLocation kHost{cudaMemLocationTypeHost, 0};

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

int predict_cpu_page_faults(int mebibytes) {
  const int blocks_of_2_mib = mebibytes / 2;
  const int faults_per_block = 6;
  return blocks_of_2_mib * faults_per_block;
}

int predict_kib_moved(int stride) {
  const int pieces = 8 * 1024 / 64;
  return stride > 64 ? 64 * (pieces * 64 / stride) : pieces * 64;
}

void send(const float* data, int count, cudaMemLocation where) {
  WB_CHECK(cudaMemPrefetchAsync(data, sizeof(float) * count, where, 0, cudaStreamPerThread));
}

__global__ void fill_kernel(float* x, int count) {
  int chunk = threadIdx.x / 32 + blockIdx.x * 8;
  float* mine = x + chunk * kChunk;
  for (int k = threadIdx.x & 31; k < kChunk; k += 32) {
    if (chunk * kChunk + k < count) mine[k] = (chunk * kChunk + k) & 1023;
  }
}

void fill(float* x, int count) {
  if (count <= 0) return;
  int per_block = kChunk * 8;
  fill_kernel<<<(count - 1) / per_block + 1, 256>>>(x, count);
}

__global__ void add_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  send(x, count, kDevice);
  send(y, count, kDevice);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  send(y, count, kHost);
}

__global__ void gather_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  for (auto [advice, where] :
       {std::pair(cudaMemAdviseSetPreferredLocation, kHost), {cudaMemAdviseSetAccessedBy, kDevice}}) {
    WB_CHECK(cudaMemAdvise(table, sizeof(float) * table_count, advice, where));
  }
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
  for (float* array : {x, y}) send(array, count, kDevice);
  fill_both_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  send(y, count, kHost);
}
