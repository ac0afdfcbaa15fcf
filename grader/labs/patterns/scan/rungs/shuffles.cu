// Three phases, with four numbers a thread and warp shuffles in place of the trees.
#include "grader/labs/patterns/scan/rungs/phases.cuh"

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  scan_in_phases(scan_groups, in, out, reinterpret_cast<int*>(scratch), n);
}
