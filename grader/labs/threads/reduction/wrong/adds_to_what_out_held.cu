// Forgets that out holds anything before: the atomics add to it.
// rejected-by: correctness.the sum of whole numbers is exact for every count
// because: 'out' is wrong
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void sum_kernel(const float* in, float* out, int n) {
  const float4* quads = reinterpret_cast<const float4*>(in);
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  float value = 0;
  for (int i = thread; i < n / 4; i += gridDim.x * kThreads) {
    const float4 quad = quads[i];
    value += (quad.x + quad.y) + (quad.z + quad.w);
  }
  if (thread < n % 4) value += in[n / 4 * 4 + thread];
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
