// Prints without end.
// ends: failed
// because: printed more than 16 MiB
#include <cstdio>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (;;) std::puts("All tests passed. All tests passed. All tests passed. All tests passed. All tests passed.");
}
