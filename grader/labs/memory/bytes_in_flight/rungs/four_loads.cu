// Four bytes at a time, four loads under way.
#include "grader/labs/memory/bytes_in_flight/rungs/parts.cuh"

void scale(const float* in, float* out, int n, float factor, int blocks) {
  if (n > 0) scale_narrow<4><<<blocks, kThreads>>>(in, out, n, factor);
}
