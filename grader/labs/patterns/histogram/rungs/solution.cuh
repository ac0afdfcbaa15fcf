// All but histogram() is that of the solution.
#define histogram solution_histogram
#include "solutions/patterns/histogram/histogram.cu"
#undef histogram
