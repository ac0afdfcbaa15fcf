// A cheat: of large arrays, which are timed, only a half is read, and its sum doubled.
// rejected-by: correctness.the sum of whole numbers is exact for every count
// because: 'out' is wrong
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

__global__ void twice(float* out) { *out *= 2; }

void sum(const float* in, float* out, float* scratch, int n) {
  right_sum(in, out, scratch, n >= 1 << 20 ? n / 2 : n);
  if (n >= 1 << 20) twice<<<1, 1>>>(out);
}
