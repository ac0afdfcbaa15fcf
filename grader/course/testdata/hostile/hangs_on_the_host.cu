// Never returns.
// ends: failed
// because: time_out topic=work allowed=3 times_reference=100
// because: time_out topic=work allowed=2 times_reference=20 earlier_cases=2
#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
