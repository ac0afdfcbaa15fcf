// Starts a hundred processes that do nothing, where 64 are allowed.
#include <unistd.h>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (int i = 0; i < 100; ++i) {
    if (fork() != 0) continue;
    sleep(20);
    _exit(0);
  }
  sleep(20);
}
