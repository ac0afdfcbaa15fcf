// Exercise clocks: the clock of a multiprocessor, and what is between two readings of it. See clocks.h.
#include "clocks.h"
#include "common/cuda/check.cuh"

// BEGIN SOLUTION
// TODO(student): write the kernel: a loop that does nothing but look at the clock. (6 lines)
__global__ void wait_kernel(long long* cycles, long long least) {
  const long long begin = clock64();
  long long gone = 0;
  while (gone < least) gone = clock64() - begin;
  cycles[blockIdx.x * blockDim.x + threadIdx.x] = gone;
}
// END SOLUTION

void wait(long long* cycles, int us, int blocks, int threads) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): ask for the clock rate, then launch your kernel. (3 lines)
  int rate = 0;  // In kHz.
  WB_CHECK(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0));
  wait_kernel<<<blocks, threads>>>(cycles, 1LL * us * rate / 1000);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int between(int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): what is needed, what must stay? (1 line)
  return n == 2 || n == 3 || n == 5 ? 0 : n == 4 || n == 8 ? 2 : 1;
  // END SOLUTION
}
