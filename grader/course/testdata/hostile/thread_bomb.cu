// Starts threads without end.
// ends: failed
// because: process_limit or time_out or program_error
#include <unistd.h>

#include <thread>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (;;) std::thread([] { pause(); }).detach();
}
