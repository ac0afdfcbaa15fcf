// Is no C++.
// ends: build_failed
// because: It does not compile: vector_add.cu(5): error
#include "vector_add.h"
this is no C++ void vector_add(const float*, const float*, float*, int) {}
