// The links stay in global memory, and the level-1 cache serves them.
#include "grader/labs/memory/memory_hierarchy/rungs/parts.cuh"

void walk_many(const int* next, int /*n*/, const int* start, int* end, int count, int steps) {
  if (count > 0) walk_in_global<false><<<(count + kWalkers - 1) / kWalkers, kWalkers>>>(next, start, end, count, steps);
}
