// Prints without end.
// ends: failed
// because: output_limit topic=printed limit=16777216
#include <cstdio>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (;;) std::puts("All tests passed. All tests passed. All tests passed. All tests passed. All tests passed.");
}
