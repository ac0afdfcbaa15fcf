// Stops, so that nobody can tell it from a slow one.
// ends: failed
// because: did not finish within 3 s
// suspicion: signals
#include <signal.h>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) { raise(SIGSTOP); }
