// Sixteen bytes at a time, two loads under way.
#include "grader/labs/memory/bytes_in_flight/rungs/parts.cuh"

void scale(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_wide<2><<<blocks, kThreads>>>(in, out, n, factor);
}
