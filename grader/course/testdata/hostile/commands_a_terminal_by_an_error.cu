// The compiler quotes what would command a terminal.
// ends: build_failed
// because: does not compile
#include "vector_add.h"
#error [2J ‮ 
