// A thread has one sum, whose bytes begin anywhere in a word: two aligned words, shifted, make the four.
#include "grader/labs/threads/mixed_precision/rungs/solution.cuh"

__global__ void words(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  const int i = thread();
  if (i >= n) return;
  const int* const aligned = reinterpret_cast<const int*>(in + i / 4 * 4);
  const int* const factors = reinterpret_cast<const int*>(weights);
  int sum = 0, low = aligned[0];
  for (int k = 0; k < taps / 4; ++k) {
    const int high = aligned[k + 1];
    sum = __dp4a(static_cast<int>(__funnelshift_r(low, high, i % 4 * 8)), factors[k], sum);
    low = high;
  }
  out[i] = sum;
}

void filter(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  if (n > 0) words<<<pieces(n, kThreads), kThreads>>>(in, weights, taps, out, n);
}
