// Kernels in which one instruction accesses two memory spaces: an asynchronous copy, and a store to generic addresses.
#include <cuda_pipeline.h>

#include "check.h"

constexpr int kThreads = 64;

/// Reads every 16th word, and writes it to a column of 32 words.
__global__ void copy_column(const int* in, int* out) {
  __shared__ int tile[kThreads * 32];
  __pipeline_memcpy_async(&tile[threadIdx.x * 32], in + threadIdx.x * 16, sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x * 32];
}

__global__ void store_to_both(int* out, int* copy) {
  __shared__ int tile[kThreads];
  int* to = threadIdx.x % 32 < 16 ? tile : out;
  to[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  copy[threadIdx.x] = tile[threadIdx.x / 32 * 32 + threadIdx.x % 16];
}

int main() {
  int values[kThreads * 16], copied[kThreads];
  for (int i = 0; i < kThreads * 16; ++i) values[i] = 3 * i;
  int *in = nullptr, *out = nullptr;
  SUCCEEDS(cudaMalloc(&in, sizeof values));
  SUCCEEDS(cudaMalloc(&out, sizeof copied));
  SUCCEEDS(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
  copy_column<<<1, kThreads>>>(in, out);
  SUCCEEDS(cudaMemcpy(copied, out, sizeof copied, cudaMemcpyDeviceToHost));
  bool equal = true;
  for (int i = 0; i < kThreads; ++i) equal = equal && copied[i] == 48 * i;
  CHECK(equal);
  store_to_both<<<1, kThreads>>>(in, out);
  SUCCEEDS(cudaMemcpy(copied, out, sizeof copied, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kThreads; ++i) equal = equal && copied[i] == i / 32 * 32 + i % 16;
  CHECK(equal);
  return report();
}
