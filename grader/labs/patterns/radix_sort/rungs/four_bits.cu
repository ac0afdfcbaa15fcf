// Eight passes of 4 bits.
#include "grader/labs/patterns/radix_sort/rungs/direct.cuh"

void sort_keys(const unsigned* in, unsigned* out, unsigned* scratch, int n) { sort_directly<4>(in, out, scratch, n); }
