// A pass over the array for each of the three steps.
#include "grader/labs/threads/roofline/rungs/parts.cuh"

void smooth(const float* in, float* scratch, float* out, int n, float gain, float offset) {
  const int blocks = (n + kThreads - 1) / kThreads;
  if (n == 0) return;
  calibrate_kernel<<<blocks, kThreads>>>(in, scratch, n, gain, offset);
  average_kernel<<<blocks, kThreads>>>(scratch, out, n);
  square_kernel<<<blocks, kThreads>>>(out, n);
}
