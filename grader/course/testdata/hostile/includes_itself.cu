// Includes itself without end.
// ends: build_failed
// because: error subject=compiler
#include "vector_add.h"
#include __FILE__
void vector_add(const float*, const float*, float*, int) {}
