// A kernel that never ends and is never twice in the same state; right where there is nothing to do.
// ends: failed
// earns: 2
// because: 5 of 6 tests fail
// because: at labs/first_steps/vector_add/vector_add.cu:1[0123]
// because: did not finish within 3 s of CPU time, nor within 100 times what the reference needs
// because: It got no more, because 2 earlier cases did not finish
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
