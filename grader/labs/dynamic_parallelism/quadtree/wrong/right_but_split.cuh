// The solution with another split_block(), which the wrong answer defines: build() and split() use that one.
#pragma once

#include "quadtree.h"

__device__ void other_split_block(int2* points, int2* scratch, int count, int x, int y, int side, int* starts);

#define split_block right_split_block
#define split_kernel right_split_kernel
#define split right_split
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef split_block
#undef split_kernel
#undef split

__global__ void split_kernel(int2* points, int2* scratch, int count, int x, int y, int side, int* result) {
  __shared__ int starts[5];
  other_split_block(points, scratch, count, x, y, side, starts);
  if (threadIdx.x < 5) result[threadIdx.x] = starts[threadIdx.x];
}

void split(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  split_kernel<<<1, kThreads>>>(points, scratch, count, x, y, side, starts);
}
