// One launch for all steps: __syncthreads() waits for the threads of a block only, not for the other blocks.
// rejected-by: correctness.the sum in place is exact for every count
// because: 'sum' is wrong
#include "reduction.h"

#define add_halves right_add_halves
#define sum_in_place right_sum_in_place
#include "solutions/threads/reduction/reduction.cu"
#undef add_halves
#undef sum_in_place

__global__ void add_all(int* data, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  for (; n > 1; n = (n + 1) / 2) {
    const int half = (n + 1) / 2;
    if (i + half < n) data[i] += data[i + half];
    __syncthreads();
  }
}

void sum_in_place(int* data, int n) {
  if (n > 1) add_all<<<(n / 2 + kThreads - 1) / kThreads, kThreads>>>(data, n);
}
