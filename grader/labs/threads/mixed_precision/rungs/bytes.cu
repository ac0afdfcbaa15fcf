// The first rung: a thread has one sum, and loads, multiplies and adds byte by byte.
#include "grader/labs/threads/mixed_precision/rungs/solution.cuh"

__global__ void bytes(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  const int i = thread();
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < taps; ++k) sum += in[i + k] * weights[k];
  out[i] = sum;
}

void filter(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  if (n > 0) bytes<<<pieces(n, kThreads), kThreads>>>(in, weights, taps, out, n);
}
