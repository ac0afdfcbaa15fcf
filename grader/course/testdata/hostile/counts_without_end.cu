// A kernel that never ends and is never twice in the same state; right where there is nothing to do.
// ends: failed
// earns: 2
// because: step_limit line=9 allowed=3 times_reference=100 or time_out topic=work allowed=3 times_reference=100
// because: step_limit line=9 allowed=2 times_reference=20 earlier_cases=2
#include "vector_add.h"

__global__ void forever(volatile float* c) {
  for (unsigned k = 0;; ++k) {
    if (c[0] == k + 0.3f) {
      c[0] = 0;
    }
  }
}

void vector_add(const float*, const float*, float* c, int count) {
  if (count > 0) forever<<<1, 1>>>(c);
}
