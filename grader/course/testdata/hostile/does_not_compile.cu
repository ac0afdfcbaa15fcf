// Is no C++.
// ends: build_failed
// because: error subject=compiler
// says: vector_add.cu(6): error
#include "vector_add.h"
this is no C++ void vector_add(const float*, const float*, float*, int) {}
