// What the rungs leave as it is in the solution: all but the sort itself.
#define quicksort solution_quicksort
#include "solutions/patterns/quicksort/quicksort.cu"
#undef quicksort
