// The average and what is made of it in one pass, after one that calibrates.
#include "grader/labs/threads/roofline/rungs/parts.cuh"

void smooth(const float* in, float* scratch, float* out, int n, float gain, float offset) {
  const int blocks = (n + kThreads - 1) / kThreads;
  if (n == 0) return;
  calibrate_kernel<<<blocks, kThreads>>>(in, scratch, n, gain, offset);
  average_and_square_kernel<<<blocks, kThreads>>>(scratch, out, n);
}
