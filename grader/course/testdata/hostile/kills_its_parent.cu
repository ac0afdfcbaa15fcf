// Ends whoever started it.
// ends: failed
// because: crashed topic=ABRT
// says: the parent lives
// suspicion: signals
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  kill(getppid(), SIGKILL);
  usleep(100000);
  std::fprintf(stderr, kill(getppid(), 0) == 0 ? "the parent lives\n" : "ESCAPED: it is dead\n");
  std::abort();
}
