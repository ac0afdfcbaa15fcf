// Nothing moves that need not: add works where the pages lie, over the bus, and the last part is one kernel.
#include "unified_memory_prefetch.h"
#define add right_add
#define fill_and_add right_fill_and_add
#define gather right_gather
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef add
#undef fill_and_add
#undef gather

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemAdvise(x, bytes, cudaMemAdviseSetAccessedBy, kDevice));
  WB_CHECK(cudaMemAdvise(y, bytes, cudaMemAdviseSetAccessedBy, kDevice));
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  WB_CHECK(cudaMemAdvise(table, table_count * sizeof(float), cudaMemAdviseSetAccessedBy, kDevice));
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}

__global__ void fill_and_add_kernel(float* x, float* y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    x[i] = i % 1024;
    y[i] = 1 + i % 1024;
  }
}

void fill_and_add(float* x, float* y, int count) {
  if (count == 0) return;
  cudaStream_t stream;
  WB_CHECK(cudaStreamCreate(&stream));
  for (float* array : {x, y}) WB_CHECK(cudaMemPrefetchAsync(array, count * sizeof(float), kDevice, 0, stream));
  fill_and_add_kernel<<<528, 256, 0, stream>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, count * sizeof(float), kHost, 0, stream));
  WB_CHECK(cudaStreamSynchronize(stream));
  WB_CHECK(cudaStreamDestroy(stream));
}
