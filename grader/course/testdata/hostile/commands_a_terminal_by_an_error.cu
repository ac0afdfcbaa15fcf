// The compiler quotes what would command a terminal.
// ends: build_failed
// because: error subject=compiler
#include "vector_add.h"
#error [2J ‮ 
