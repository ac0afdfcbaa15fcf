// Ends with the status that says that processes were left behind.
// ends: failed
// because: left_processes
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) { std::exit(125); }
