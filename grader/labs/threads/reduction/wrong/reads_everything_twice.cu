// A cheat: every number is loaded a second time, from the L2 cache, and forgotten: that looks like bandwidth.
// rejected-by: counters.the sum reads with more than half of the memory's bandwidth
// because: Too many bytes moved by global loads
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void sum_twice(const float* in, float* out, int n) {
  const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
  float value = 0;
  for (int turn = 0; turn < 2; ++turn) {
    value = 0;
    for (int i = thread; i < n; i += threads) value += __ldcg(in + i);
    if (value == 1e30f) *out = value;
  }
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  sum_twice<<<std::clamp((n + kThreads - 1) / kThreads, 1, 1056), kThreads>>>(in, out, n);
}
