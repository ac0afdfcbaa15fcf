// Defines another function than the lab asks for.
// ends: failed
// because: program_error topic=missing_function subject="vector_add()"
#include "vector_add.h"

void add_vectors(const float*, const float*, float*, int) {}
