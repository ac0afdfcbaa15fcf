// Writes the sums of pairs side by side: a thread overwrites what another one has still to read in the same launch.
// rejected-by: correctness.the sum in place is exact for every count
// because: something is read that is not written yet
#include "reduction.h"

#define add_halves right_add_halves
#define sum_in_place right_sum_in_place
#include "solutions/threads/reduction/reduction.cu"
#undef add_halves
#undef sum_in_place

__global__ void add_neighbours(int* data, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (2 * i < n) data[i] = data[2 * i] + (2 * i + 1 < n ? data[2 * i + 1] : 0);
}

void sum_in_place(int* data, int n) {
  for (; n > 1; n = (n + 1) / 2) add_neighbours<<<((n + 1) / 2 + kThreads - 1) / kThreads, kThreads>>>(data, n);
}
