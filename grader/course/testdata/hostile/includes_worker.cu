// Includes the grader's worker of the lab.
// ends: build_failed
// because: error subject=compiler
// says: grader/labs/first_steps/vector_add/functions.cu: No such file
// suspicion: include
#include "grader/labs/first_steps/vector_add/functions.cu"
#include "vector_add.h"
