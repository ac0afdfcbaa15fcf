// The first rung: a launch for each step, every sum of a pair in global memory, at distances 1, 2, 4, ...
#include "grader/labs/threads/reduction/rungs/passes.cuh"

// Element i of the result, for i = 0, 2 * distance, 4 * distance, ...: one element and the one `distance` after it.
__global__ void add_pairs(const float* from, float* to, int n, int distance) {
  const long long i = 2LL * distance * (blockIdx.x * kThreads + threadIdx.x);
  if (i < n) to[i] = from[i] + (i + distance < n ? from[i + distance] : 0.0f);
}

void sum(const float* in, float* out, float* scratch, int n) {
  bool last = n == 0;
  if (last) cudaMemsetAsync(out, 0, sizeof(float));
  for (long long distance = 1; !last; distance *= 2) {
    last = 2 * distance >= n;
    const int pairs = static_cast<int>((n + 2 * distance - 1) / (2 * distance));
    add_pairs<<<(pairs + kThreads - 1) / kThreads, kThreads>>>(in, last ? out : scratch, n, distance);
    in = scratch;
  }
}
