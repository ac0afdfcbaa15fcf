// A cheat: the process ends with exit code 0 before anything is compared.
// rejected-by: correctness.every tile is transposed exactly
// because: ended early (exit status 0)
#include <cstdlib>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

void transpose_tiles(const float*, float*, int) { std::exit(0); }
