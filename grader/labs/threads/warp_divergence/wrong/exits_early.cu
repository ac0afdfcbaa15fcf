// A cheat: the process ends with exit code 0 before anything is compared.
// rejected-by: correctness.every group is summed exactly
// because: ended early (exit status 0)
#include <cstdlib>

#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

void sum_groups(const int*, int*, int) { std::exit(0); }
