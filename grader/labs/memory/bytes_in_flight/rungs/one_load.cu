// Four bytes at a time, and the next load only when the last one has been stored.
#include "grader/labs/memory/bytes_in_flight/rungs/parts.cuh"

void scale(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_narrow<1><<<blocks, kThreads>>>(in, out, n, factor);
}
