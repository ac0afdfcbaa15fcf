// Each thread sums a piece of neighbouring elements, as on a CPU: lanes are far apart.
// rejected-by: counters.the sum loads 16 bytes for each lane
// because: Too many sectors of global loads, relative to the ideal
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void sum_kernel(const float* in, float* out, int n) {
  const float4* quads = reinterpret_cast<const float4*>(in);
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  const int piece = (n / 4 + gridDim.x * kThreads - 1) / (gridDim.x * kThreads);
  float value = 0;
  for (int i = thread * piece; i < min(n / 4, (thread + 1) * piece); ++i) {
    const float4 quad = quads[i];
    value += (quad.x + quad.y) + (quad.z + quad.w);
  }
  if (thread < n % 4) value += in[n / 4 * 4 + thread];
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  const int blocks = std::clamp((n / 16 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
