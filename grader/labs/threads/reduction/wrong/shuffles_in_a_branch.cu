// Only the threads with a number call the shuffles, which name all 32 lanes.
// rejected-by: correctness.the sum of whole numbers is exact for every count
// because: lane
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__device__ float sum_of_few(float value) {
  __shared__ float of_warps[kWarps];
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < kWarps) value = sum_of_warp(of_warps[threadIdx.x]);
  return value;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  const float4* quads = reinterpret_cast<const float4*>(in);
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  float value = 0;
  for (int i = thread; i < n / 4; i += gridDim.x * kThreads) {
    const float4 quad = quads[i];
    value += (quad.x + quad.y) + (quad.z + quad.w);
  }
  if (thread < n % 4) value += in[n / 4 * 4 + thread];
  value = sum_of_few(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
