// A thread for each pixel adds 1 in global memory.
#include "grader/labs/patterns/histogram/rungs/solution.cuh"

__global__ void count_in_global_memory(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x < width) atomicAdd(&bins[image[y * pitch + x]], 1u);
}

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned));
  const dim3 grid((width + 255) / 256, height);
  if (grid.x * grid.y > 0) count_in_global_memory<<<grid, 256>>>(image, width, height, pitch, bins);
}
