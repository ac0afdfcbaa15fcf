// One launch, with a barrier of the grid between two steps, however few cells there are.
#define advance solution_advance
#include "solutions/execution/launch_overhead/launch_overhead.cu"
#undef advance

void advance(unsigned* a, unsigned* b, int count, int steps) { by_grid(a, b, count, steps); }
