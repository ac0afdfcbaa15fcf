// Exercise restrict_and_hints: what a programmer promises a compiler. See restrict_and_hints.h.
#include "restrict_and_hints.h"

__global__ void mix_kernel(const float* a, const float* b, float* out, int count) {  // TODO(student): promise.
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  const float *p = a + 4 * t, *q = b + 4 * t;  // TODO(student): promise more, about a and b, not the sums. (2 lines)
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) out[(4 * k + j) * count + t] = p[k] * q[j];
}

void mix(const float* a, const float* b, float* out, int count) {
  warpbook::not_started();  // TODO(student): delete this line. The rest is as it should be.
  mix_kernel<<<(count + 127) / 128, 128>>>(a, b, out, count);
}

int predict(int n) {
  warpbook::not_started();  // TODO(student): which may a store have changed? (3 lines)
}
