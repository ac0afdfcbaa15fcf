// Ends with the status that says that processes were left behind.
// ends: failed
// because: left processes running
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) { std::exit(125); }
