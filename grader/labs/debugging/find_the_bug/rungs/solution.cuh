// All but group_sums() is that of the solution.
#define group_sums solution_group_sums
#define group_sums_kernel solution_group_sums_kernel
#include "solutions/debugging/find_the_bug/find_the_bug.cu"
#undef group_sums
#undef group_sums_kernel
