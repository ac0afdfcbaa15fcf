// starts[] holds how many points each quadrant has, not where they begin.
// rejected-by: correctness.one square is split into its quadrants
// because: starts[] is
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_but_split.cuh"

__device__ void other_split_block(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  __shared__ int next[4];
  if (threadIdx.x < 4) next[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int q = 0; q < 4; ++q) {
      starts[q] = next[q];
      next[q] = sum;
      sum += starts[q];
    }
    starts[4] = sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads)
    scratch[atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1)] = points[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) points[i] = scratch[i];
  __syncthreads();
}
