// All but sort_keys() is that of the solution.
#define sort_keys solution_sort_keys
#include "solutions/patterns/radix_sort/radix_sort.cu"
#undef sort_keys

#include "common/cuda/check.cuh"
