// The links stay in global memory, and the level-2 cache serves them.
#include "grader/labs/memory/memory_hierarchy/rungs/parts.cuh"

void walk_many(const int* next, int /*n*/, const int* start, int* end, int count, int steps) {
  if (count > 0) walk_in_global<true><<<(count + kWalkers - 1) / kWalkers, kWalkers>>>(next, start, end, count, steps);
}
