// Halves an odd count downwards, so its last element is never added.
// rejected-by: correctness.the sum in place is exact for every count
// because: 'sum' is wrong
#include "reduction.h"

#define add_halves right_add_halves
#define sum_in_place right_sum_in_place
#include "solutions/threads/reduction/reduction.cu"
#undef add_halves
#undef sum_in_place

__global__ void add_halves(int* data, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n / 2) data[i] += data[i + n / 2];
}

void sum_in_place(int* data, int n) {
  for (; n > 1; n /= 2) add_halves<<<(n / 2 + kThreads - 1) / kThreads, kThreads>>>(data, n);
}
