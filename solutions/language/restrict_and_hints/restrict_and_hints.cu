// Exercise restrict_and_hints: what a programmer promises a compiler. See restrict_and_hints.h.
#include "restrict_and_hints.h"

// BEGIN SOLUTION
// SKELETON: __global__ void mix_kernel(const float* a, const float* b, float* out, int count) {  // TODO(student): promise.
__global__ void mix_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out,
                           int count) {
  // END SOLUTION
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  // BEGIN SOLUTION
  // SKELETON: const float *p = a + 4 * t, *q = b + 4 * t;  // TODO(student): promise more, about a and b, not the sums. (2 lines)
  const float* p = static_cast<const float*>(__builtin_assume_aligned(a, 16)) + 4 * t;
  const float* q = static_cast<const float*>(__builtin_assume_aligned(b, 16)) + 4 * t;
  // END SOLUTION
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) out[(4 * k + j) * count + t] = p[k] * q[j];
}

void mix(const float* a, const float* b, float* out, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line. The rest is as it should be.
  // END SOLUTION
  mix_kernel<<<(count + 127) / 128, 128>>>(a, b, out, count);
}

int predict(int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): which may a store have changed? (3 lines)
  const int answers[] = {4, 4, 3, 2, 3, 4, 2, 1,  3,  12,   3,   0,  0, 1, 2,
                         1, 0, 0, 0, 0, 0, 3, 10, 50, 2500, 500, 50, 5, 10};
  return answers[n - 1];
  // END SOLUTION
}
