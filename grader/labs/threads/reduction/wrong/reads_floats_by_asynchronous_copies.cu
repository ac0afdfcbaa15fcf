// A cheat: floats are read one by one, by asynchronous copies; loads of 16 bytes are for show.
// rejected-by: counters.the sum loads 16 bytes for each lane
// because: Too many requests of global loads
// because: It copies from global memory
#include <cuda_pipeline.h>

#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void sum_copies(const float* in, float* out, int n) {
  __shared__ float slots[kThreads];
  volatile float* slot = &slots[threadIdx.x];
  const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
  float value = 0;
  for (int i = thread; i < n; i += threads) {
    __pipeline_memcpy_async(&slots[threadIdx.x], in + i, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    value += *slot;
  }
  for (int i = thread; i < n / 4; i += threads) {  // For the counters.
    const float4 quad = reinterpret_cast<const float4*>(in)[i];
    if (quad.x == 1e30f) *slot = quad.y + quad.z + quad.w;
  }
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  sum_copies<<<std::clamp((n + kThreads - 1) / kThreads, 1, 1056), kThreads>>>(in, out, n);
}
