// Calls a function that nothing defines.
// ends: build_failed
// because: undefined subject="add_vectors(float const*, float const*, float*, int)"
#include "vector_add.h"

void add_vectors(const float*, const float*, float*, int);

void vector_add(const float* a, const float* b, float* c, int n) { add_vectors(a, b, c, n); }
