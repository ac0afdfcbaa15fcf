// Three phases: blocks scan their groups of 1024, the sums of the groups are scanned in the same way, and each block
// adds what came before it.
#include "grader/labs/patterns/scan/rungs/solution.cuh"

__global__ void add_what_came_before(int* out, const int* sums, int n) {
  const int i = kGroup + blockIdx.x * kGroup + 4 * threadIdx.x;
  store_quad(out, i, n, plus(quad_at(out, i, n), sums[blockIdx.x]));
}

using Groups = void (*)(const int* in, int* out, int* sums, int n);

inline void scan_in_phases(Groups scan_groups_of, const int* in, int* out, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups == 0) return;
  scan_groups_of(in, out, sums, n);
  if (groups == 1) return;
  scan_in_phases(scan_groups_of, sums, sums, sums + (groups + 63) / 64 * 64, groups);
  add_what_came_before<<<groups - 1, kThreads>>>(out, sums, n);
}
