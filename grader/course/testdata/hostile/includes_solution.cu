// Includes the solution, by its path from the project's root.
// ends: build_failed
// because: error subject=compiler
// says: solutions/first_steps/vector_add/vector_add.cu: No such file
// suspicion: include
#include "solutions/first_steps/vector_add/vector_add.cu"
