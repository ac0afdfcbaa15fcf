// Defines another function than the lab asks for.
// ends: build_failed
// because: It does not link: vector_add(float const*, float const*, float*, int) is declared but not defined
#include "vector_add.h"

void add_vectors(const float*, const float*, float*, int) {}
