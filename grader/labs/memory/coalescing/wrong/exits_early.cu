// A cheat: the process ends with exit code 0 before anything is compared.
// rejected-by: correctness.the transpose is exact for whole tiles
// because: ended early (exit status 0)
#include <cstdlib>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float*, float*, int, int) { std::exit(0); }
