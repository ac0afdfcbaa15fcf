// A bit for each pass: 32 of them, of three launches each.
#include "grader/labs/patterns/radix_sort/rungs/direct.cuh"

void sort_keys(const unsigned* in, unsigned* out, unsigned* scratch, int n) { sort_directly<1>(in, out, scratch, n); }
