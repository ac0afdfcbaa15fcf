// Adds pairs 1, 2, 4, ... elements apart: every launch loads the sectors of the whole array, until few are left.
// rejected-by: counters.the sum in place halves the work with each launch, and stays coalesced
// because: Too many bytes moved by global loads
#include "reduction.h"

#define add_halves right_add_halves
#define sum_in_place right_sum_in_place
#include "solutions/threads/reduction/reduction.cu"
#undef add_halves
#undef sum_in_place

__global__ void add_pairs(int* data, int n, int distance) {
  const long long i = 2LL * distance * (blockIdx.x * kThreads + threadIdx.x);
  if (i + distance < n) data[i] += data[i + distance];
}

void sum_in_place(int* data, int n) {
  for (int distance = 1; distance < n; distance *= 2)
    add_pairs<<<(n / distance + kThreads - 1) / kThreads, kThreads>>>(data, n, distance);
}
