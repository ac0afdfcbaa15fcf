// Includes the solution where it lies on this machine.
// ends: build_failed
// because: error subject=compiler
// says: No such file
// suspicion: include
#include "@PROJECT@/solutions/first_steps/vector_add/vector_add.cu"
