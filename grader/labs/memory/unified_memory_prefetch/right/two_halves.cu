// Two halves in two streams, 128 KiB for each warp that fills, and a loop of a fixed grid that adds.
#include "unified_memory_prefetch.h"
#define fill right_fill
#define fill_kernel right_fill_kernel
#define add right_add
#define add_kernel right_add_kernel
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef fill
#undef fill_kernel
#undef add
#undef add_kernel

__global__ void fill_kernel(float* x, int count) {
  constexpr int kPart = 2 * kChunk;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * kPart;
  for (int i = threadIdx.x % 32; i < kPart && begin + i < count; i += 32) x[begin + i] = (begin + i) % 1024;
}

void fill(float* x, int count) {
  const int warps = (count + 2 * kChunk - 1) / (2 * kChunk);
  if (warps > 0) fill_kernel<<<warps, 32>>>(x, count);
}

__global__ void add_kernel(const float* x, float* y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const int half = count / 2;
  cudaStream_t streams[2];
  for (int part = 0; part < 2; ++part) {
    const int first = part * half, size = part == 0 ? half : count - half;
    WB_CHECK(cudaStreamCreate(&streams[part]));
    if (size == 0) continue;
    const std::size_t bytes = size * sizeof(float);
    WB_CHECK(cudaMemPrefetchAsync(x + first, bytes, kDevice, 0, streams[part]));
    WB_CHECK(cudaMemPrefetchAsync(y + first, bytes, kDevice, 0, streams[part]));
    add_kernel<<<264, 256, 0, streams[part]>>>(x + first, y + first, size);
    WB_CHECK(cudaMemPrefetchAsync(y + first, bytes, kHost, 0, streams[part]));
  }
  for (const cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
}
