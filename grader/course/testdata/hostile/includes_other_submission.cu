// Includes what another student handed in.
// ends: build_failed
// because: No such file
// suspicion: include
#include "@OTHER@"
