// Ends every process that it can see.
// ends: failed
// because: crashed topic=ABRT
// says: No such process
// suspicion: signals
#include <signal.h>

#include <cstdio>
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (int pid = 3; pid < 100000; ++pid) {
    if (kill(pid, SIGKILL) == 0) std::fprintf(stderr, "ESCAPED: killed process %d\n", pid);
  }
  if (kill(-1, SIGKILL) != 0) std::perror("kill");
  std::abort();
}
