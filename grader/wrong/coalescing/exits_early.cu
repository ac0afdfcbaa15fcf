// Wrong answer: a cheat: the process ends with exit code 0 before anything is compared.
#include <cstdlib>

#include "grader/wrong/coalescing/right_copies.cuh"

void transpose(const float*, float*, int, int) { std::exit(0); }
