// Ignores all signals and sleeps.
// ends: failed
// because: time_out topic=clock limit=3
// suspicion: include
#include <signal.h>
#include <unistd.h>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  for (;;) pause();
}
