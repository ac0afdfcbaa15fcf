// Points are moved within their array, over others that have not been moved yet.
// rejected-by: correctness.one square is split into its quadrants
// because: some are missing, and others are there twice
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_but_split.cuh"

__device__ void other_split_block(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  __shared__ int next[4];
  if (threadIdx.x < 4) next[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    starts[0] = 0;
    for (int q = 0; q < 4; ++q) {
      starts[q + 1] = starts[q] + next[q];
      next[q] = starts[q];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads)
    points[atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1)] = points[i];
  __syncthreads();
}
