// A cheat: the process ends with exit code 0 before anything is compared.
// rejected-by: correctness.arrays of every size are added exactly
// because: ended early (exit status 0)
#include <cstdlib>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) { std::exit(0); }
