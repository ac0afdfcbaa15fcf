// Lab vector_add: adds two arrays, one element for each thread. This lab is solved: read it with README.md.
#include "common/cuda/check.cuh"
#include "vector_add.h"

constexpr int kThreads = 256;  // Threads in a block: a multiple of 32, so that every warp is full.

// Runs once for every thread. A thread finds out which one it is, and adds the element with that number.
__global__ void vector_add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];  // The last block may have more threads than there are elements left.
}

// Runs once, on the host: starts enough blocks to have a thread for every element.
void vector_add(const float* a, const float* b, float* c, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;  // Rounded up.
  if (blocks == 0) return;                               // A launch with 0 blocks is an error.
  vector_add_kernel<<<blocks, kThreads>>>(a, b, c, count);
  WB_CHECK(cudaGetLastError());  // A launch that CUDA refused says so here, and not three calls later.
}
