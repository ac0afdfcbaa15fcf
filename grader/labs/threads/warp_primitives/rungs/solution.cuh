// All but normalise() is that of the solution.
#define normalise solution_normalise
#include "solutions/threads/warp_primitives/warp_primitives.cu"
#undef normalise
