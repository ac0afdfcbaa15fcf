// As many blocks as the GPU holds, which keep one histogram, or one for each warp.
#include "grader/labs/patterns/histogram/rungs/solution.cuh"

/// Loads as wide as Piece.
template <int kHistograms, class Piece>
__global__ void copies_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  __shared__ unsigned counts[kBins * kHistograms];
  constexpr int kBytes = sizeof(Piece);
  const int warp = threadIdx.x / 32, pieces = (width + kBytes - 1) / kBytes;
  for (int i = threadIdx.x; i < kBins * kHistograms; i += kThreads) counts[i] = 0;
  __syncthreads();
  unsigned* own = counts + warp % kHistograms * kBins;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < pieces * height; i += gridDim.x * kThreads) {
    const int x = i % pieces * kBytes, y = i / pieces;
    const Piece piece = *reinterpret_cast<const Piece*>(image + y * pitch + x);
    unsigned words[(kBytes + 3) / 4];
    if constexpr (kBytes == 1) {
      words[0] = piece;
    } else {
      words[0] = piece.x, words[1] = piece.y, words[2] = piece.z, words[3] = piece.w;
    }
#pragma unroll
    for (int k = 0; k < kBytes; ++k)
      if (x + k < width) atomicAdd(&own[words[k / 4] >> 8 * (k % 4) & 255], 1u);
  }
  __syncthreads();
  unsigned sum = 0;
  if (threadIdx.x >= kBins) return;
  for (int c = 0; c < kHistograms; ++c) sum += counts[c * kBins + threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}

template <int kHistograms, class Piece>
void histogram_by_copies(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned));
  const int bytes = sizeof(Piece), needed = ((width + bytes - 1) / bytes * height + kThreads - 1) / kThreads;
  const int blocks = needed < 2 * multiprocessors ? needed : 2 * multiprocessors;
  if (blocks > 0) copies_kernel<kHistograms, Piece><<<blocks, kThreads>>>(image, width, height, pitch, bins);
}
