// All but filter() is that of the solution.
#define filter solution_filter
#include "solutions/threads/mixed_precision/mixed_precision.cu"
#undef filter
