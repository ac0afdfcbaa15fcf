// Takes one block for each multiprocessor for the largest grid.
// rejected-by: correctness.the largest grid is launched, and one block more is refused
// because: a cooperative launch of one block more works too
#include "cooperative_groups.h"

#define largest_grid right_largest_grid
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef largest_grid

int largest_grid(const void*, int, int) {
  int multiprocessors = 0;
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return multiprocessors;
}
