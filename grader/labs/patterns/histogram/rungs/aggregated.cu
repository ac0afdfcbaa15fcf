// In global memory still, but one lane of a warp adds for all that have its value.
#include "grader/labs/patterns/histogram/rungs/solution.cuh"

__global__ void count_once_for_a_value(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y, lane = threadIdx.x % 32;
  const int value = x < width ? image[y * pitch + x] : kBins;
  const unsigned same = __match_any_sync(0xffffffff, value);
  if (value < kBins && lane == __ffs(same) - 1) atomicAdd(&bins[value], static_cast<unsigned>(__popc(same)));
}

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned));
  const dim3 grid((width + 255) / 256, height);
  if (grid.x * grid.y > 0) count_once_for_a_value<<<grid, 256>>>(image, width, height, pitch, bins);
}
