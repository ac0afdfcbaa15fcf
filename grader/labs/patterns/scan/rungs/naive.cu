// In global memory: a launch for each distance 1, 2, 4, ..., between two arrays in turn.
#include <algorithm>

#include "grader/labs/patterns/scan/rungs/solution.cuh"

__global__ void add_from_below(const int* from, int* to, int distance, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

void scan(const int* in, int* out, unsigned long long*, int n) {
  int steps = 0;
  while ((1 << steps) < n) ++steps;
  int* other = nullptr;
  if (n > 0) cudaMallocAsync(&other, n * sizeof(int), nullptr);
  const int* from = in;
  for (int step = 0; step < std::max(1, steps) && n > 0; ++step) {
    int* to = (std::max(1, steps) - step) % 2 == 1 ? out : other;  // So that the last one writes out.
    add_from_below<<<(n + kThreads - 1) / kThreads, kThreads>>>(from, to, 1 << step, n);
    from = to;
  }
  if (n > 0) cudaFreeAsync(other, nullptr);
}
