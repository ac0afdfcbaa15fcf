// Never returns.
// ends: failed
// because: did not finish within 3 s of CPU time, nor within 100 times what the reference needs
// because: within 2 s of CPU time, nor within 20 times .*got no more, because 2 earlier cases did not finish
#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
