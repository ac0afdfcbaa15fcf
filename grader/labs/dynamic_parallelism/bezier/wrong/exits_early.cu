// A cheat: ends the process as if all were well.
// rejected-by: correctness.the lengths of all curves are right
// because: exit
#include <cstdlib>

#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

void measure_lengths(const Curve*, int, int, Polyline*, float*) { std::exit(0); }
