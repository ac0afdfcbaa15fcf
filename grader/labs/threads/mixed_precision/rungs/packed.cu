// Four products by one instruction, but its word is made of bytes that are loaded one by one.
#include "grader/labs/threads/mixed_precision/rungs/solution.cuh"

__global__ void packed(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  const int i = thread();
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < taps; k += 4) {
    const signed char* const own = in + i + k;
    sum = __dp4a(make_char4(own[0], own[1], own[2], own[3]), *reinterpret_cast<const char4*>(weights + k), sum);
  }
  out[i] = sum;
}

void filter(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  if (n > 0) packed<<<pieces(n, kThreads), kThreads>>>(in, weights, taps, out, n);
}
