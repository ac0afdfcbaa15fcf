// Exercise clocks: the clock of a multiprocessor, and what is between two readings of it. See clocks.h.
#include "clocks.h"
#include "common/cuda/check.cuh"

// TODO(student): write the kernel: a loop that does nothing but look at the clock. (6 lines)

void wait(long long* cycles, int us, int blocks, int threads) {
  warpbook::not_started();  // TODO(student): ask for the clock rate, then launch your kernel. (3 lines)
  WB_CHECK(cudaGetLastError());
}

int between(int n) {
  warpbook::not_started();  // TODO(student): what is needed, what must stay? (1 line)
}
