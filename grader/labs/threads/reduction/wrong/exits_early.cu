// A cheat: ends the process as if all were well.
// rejected-by: correctness.the sum of whole numbers is exact for every count
// because: exit
#include <cstdlib>

#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

void sum(const float*, float*, float*, int) { std::_Exit(0); }
