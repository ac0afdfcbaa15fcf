// Never returns.
// ends: failed
// because: did not finish within 3 s
#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
