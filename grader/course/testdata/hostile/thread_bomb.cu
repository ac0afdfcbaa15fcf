// Starts threads without end.
// ends: failed
// because: Resource temporarily unavailable|started more than|did not finish within 3 s
#include <unistd.h>

#include <thread>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (;;) std::thread([] { pause(); }).detach();
}
