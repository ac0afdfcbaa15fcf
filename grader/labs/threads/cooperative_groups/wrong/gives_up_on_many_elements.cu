// Does nothing for more elements than a test once had.
// rejected-by: correctness.the grid sums every number of elements
// because: out
#include "cooperative_groups.h"

#define sum_grid right_sum_grid
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef sum_grid

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  if (count <= 700000) right_sum_grid(in, partial, out, count);
}
