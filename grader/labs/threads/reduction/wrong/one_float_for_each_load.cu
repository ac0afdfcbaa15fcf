// Loads 4 bytes for each lane: four times as many loads, and fewer bytes under way.
// rejected-by: counters.the sum loads 16 bytes for each lane
// because: Too many requests of global loads: 32768; at most 10240
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void sum_kernel(const float* in, float* out, int n) {
  float value = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) value += in[i];
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
