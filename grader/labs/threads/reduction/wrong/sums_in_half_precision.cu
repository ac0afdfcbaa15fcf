// Rounds every number to half precision.
// rejected-by: correctness.the sum of real numbers is as exact as floats in any order allow
// because: 'out' is wrong
#include <cuda_fp16.h>

#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__device__ float rounded(float value) { return __half2float(__float2half(value)); }

__global__ void sum_kernel(const float* in, float* out, int n) {
  const float4* quads = reinterpret_cast<const float4*>(in);
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  float value = 0;
  for (int i = thread; i < n / 4; i += gridDim.x * kThreads) {
    const float4 quad = quads[i];
    value += (rounded(quad.x) + rounded(quad.y)) + (rounded(quad.z) + rounded(quad.w));
  }
  if (thread < n % 4) value += rounded(in[n / 4 * 4 + thread]);
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
