// All but smooth() is that of the solution.
#define smooth solution_smooth
#define smooth_kernel solution_smooth_kernel
#include "solutions/debugging/debugger/debugger.cu"
#undef smooth
#undef smooth_kernel
