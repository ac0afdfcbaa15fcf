// Lab vector_add: adds two arrays, four elements for each thread. This lab is solved: read it with README.md.
#include "common/cuda/check.cuh"
#include "vector_add.h"

constexpr int kThreads = 256;                // Threads in a block: a multiple of 32, so that every warp is full.
constexpr int kEach = 4;                     // Elements for each thread: more of them are on their way at a time.
constexpr int kElements = kThreads * kEach;  // Elements for each block.

// Runs once for every thread. A thread finds out which one it is, and adds the elements that are its own. They lie one
// block's width apart, so that in each turn of the loop neighbouring threads have neighbouring elements.
// __restrict__ promises that the arrays do not overlap: loads of the next turn need not wait for a store.
__global__ void vector_add_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                  int count) {
  for (int turn = 0; turn < kEach; ++turn) {
    const int i = blockIdx.x * kElements + turn * kThreads + threadIdx.x;
    if (i < count) c[i] = a[i] + b[i];  // The last block may have more threads than there are elements left.
  }
}

// Runs once, on the host: starts enough blocks to have a thread for every element.
void vector_add(const float* a, const float* b, float* c, int count) {
  const int blocks = (count + kElements - 1) / kElements;  // Rounded up.
  if (blocks == 0) return;                                 // A launch with 0 blocks is an error.
  vector_add_kernel<<<blocks, kThreads>>>(a, b, c, count);
  WB_CHECK(cudaGetLastError());  // A launch that CUDA refused says so here, and not three calls later.
}
