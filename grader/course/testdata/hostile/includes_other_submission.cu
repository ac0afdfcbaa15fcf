// Includes what another student handed in.
// ends: build_failed
// because: error subject=compiler
// says: No such file
// suspicion: include
#include "@OTHER@"
