// What the rungs share: the solution but for walk_many(), and a kernel that walks in global memory.
#define walk_many solution_walk_many
#include "solutions/memory/memory_hierarchy/memory_hierarchy.cu"
#undef walk_many

/// @tparam kPastL1 loads go to the level-2 cache, and are not kept in the level-1 cache
template <bool kPastL1>
__global__ void walk_in_global(const int* next, const int* start, int* end, int count, int steps) {
  const int walker = blockIdx.x * kWalkers + threadIdx.x;
  if (walker >= count) return;
  int at = start[walker];
  for (int step = 0; step < steps; ++step) at = kPastL1 ? __ldcg(next + at) : next[at];
  end[walker] = at;
}
