// Includes a file that has no end.
// ends: build_failed
// because: The compiler
// suspicion: include
// limit: build_wall_s 20
#include "/dev/zero"
#include "vector_add.h"
void vector_add(const float*, const float*, float*, int) {}
