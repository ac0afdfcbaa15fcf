// The same with padding: no bank conflicts.
#include "grader/labs/patterns/scan/rungs/trees.cuh"

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  scan_in_phases(scan_groups_by_trees<true>, in, out, reinterpret_cast<int*>(scratch), n);
}
