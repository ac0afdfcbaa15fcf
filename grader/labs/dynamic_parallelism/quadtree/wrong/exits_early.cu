// A cheat: ends the process as if all were well.
// rejected-by: correctness.equidistant points give the known trees
// because: exit
#include <cstdlib>

#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

void build(const int2*, int, int, int, int2*, int2*, Node*, int*) { std::exit(0); }
