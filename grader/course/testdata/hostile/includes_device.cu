// Includes a file that has no end.
// ends: build_failed
// because: timed_out subject=compiler or too_much_memory subject=compiler
// suspicion: include
// limit: build_wall_s 20
#include "/dev/zero"
#include "vector_add.h"
void vector_add(const float*, const float*, float*, int) {}
