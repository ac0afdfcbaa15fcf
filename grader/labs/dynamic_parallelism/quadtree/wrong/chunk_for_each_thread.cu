// Each thread counts and moves points that lie next to each other, so neighbouring lanes are far apart.
// rejected-by: counters.the lanes of a warp read points that lie side by side
// because: Too many sectors of global loads, relative to the ideal
#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_but_split.cuh"

__device__ void other_split_block(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  __shared__ int next[4];
  if (threadIdx.x < 4) next[threadIdx.x] = 0;
  __syncthreads();
  const int chunk = (count + kThreads - 1) / kThreads, first = threadIdx.x * chunk;
  const int end = first + chunk < count ? first + chunk : count;
  for (int i = first; i < end; ++i) atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    starts[0] = 0;
    for (int q = 0; q < 4; ++q) {
      starts[q + 1] = starts[q] + next[q];
      next[q] = starts[q];
    }
  }
  __syncthreads();
  for (int i = first; i < end; ++i) scratch[atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1)] = points[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) points[i] = scratch[i];
  __syncthreads();
}
