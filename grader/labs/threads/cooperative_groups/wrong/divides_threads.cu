// A cheat: the largest grid of an H200 by its threads alone, which other kernels do not reach.
// rejected-by: correctness.the largest grid is launched, and one block more is refused
// because: How many
#include "cooperative_groups.h"

#define largest_grid right_largest_grid
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef largest_grid

int largest_grid(const void*, int threads, int) { return 132 * (2048 / threads); }
