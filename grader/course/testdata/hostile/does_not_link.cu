// Calls a function that nothing defines.
// ends: build_failed
// because: It does not link: add_vectors(float const*, float const*, float*, int) is declared but not defined
#include "vector_add.h"

void add_vectors(const float*, const float*, float*, int);

void vector_add(const float* a, const float* b, float* c, int n) { add_vectors(a, b, c, n); }
