// Private counts in shared memory: a block for each tile of 32 x 32, which adds all of its counts to the image's.
#include "grader/labs/patterns/histogram/rungs/solution.cuh"

__global__ void tiles_merged_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  __shared__ unsigned counts[kBins];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  if (thread < kBins) counts[thread] = 0;
  __syncthreads();
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) atomicAdd(&counts[image[y * pitch + x]], 1u);
  __syncthreads();
  if (thread < kBins) atomicAdd(&bins[thread], counts[thread]);
}

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned));
  const dim3 tiles((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  if (tiles.x * tiles.y > 0) tiles_merged_kernel<<<tiles, dim3(kTile, kTile)>>>(image, width, height, pitch, bins);
}
