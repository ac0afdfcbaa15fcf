// Lab histogram: how often each value occurs, from atomics on global memory to a copy of the counts for each lane.
// This is the only file you edit. What each function must do is in histogram.h, what to do first in README.md.
#include "histogram.h"

constexpr int kBins = 256;               // Counts in a histogram.
constexpr int kTile = 32;                // Part 2: pixels along a side of a tile.
constexpr int kThreads = 1024;           // Part 3: threads in a block.
constexpr int kWarps = kThreads / 32;    // Part 3: warps in a block.
constexpr int kCopies = 32;              // Part 3: histograms that a block keeps, one for each lane of a warp.
constexpr int kBinsOf = kBins / kWarps;  // Part 3: counts that each warp sums in the end.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_additions(Plan plan, int width, int height) {
  // BEGIN SOLUTION
  // TODO(student): count tiles, edges too, and what each adds. (4 lines)
  // SKELETON: warpbook::not_started();
  if (plan == Plan::pixels) return width * height;
  const int tiles = (width + kTile - 1) / kTile * ((height + kTile - 1) / kTile);
  return (plan == Plan::tiles ? tiles : 264) * kBins;
  // END SOLUTION
}

int predict_wavefronts(int copies, int distance) {
  // BEGIN SOLUTION
  // TODO(student): word w lies in bank w % 32. How many different words do the 32 lanes want from each bank, and from
  // the one that has most to deliver? (8 lines)
  // SKELETON: warpbook::not_started();
  bool wanted[kBins * 32] = {};
  for (int lane = 0; lane < 32; ++lane) wanted[distance * lane % kBins * copies + lane % copies] = true;
  int most = 0;
  for (int bank = 0; bank < 32; ++bank) {
    int words = 0;
    for (int word = bank; word < kBins * copies; word += 32) words += wanted[word] ? 1 : 0;
    if (words > most) most = words;
  }
  return most;
  // END SOLUTION
}

// ---- Part 2: each tile ----------------------------------------------------------------------------------------------

// One block for each tile, one thread for each pixel: blockIdx is the tile, threadIdx the pixel in it.
__global__ void tiles_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* histograms) {
  // BEGIN SOLUTION
  // TODO(student): 256 counts in shared memory: the first 256 threads set them to 0, each thread that has a pixel adds
  // 1 to one of them, the first 256 threads store them. Who must have finished before what? (9 lines)
  __shared__ unsigned counts[kBins];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  if (thread < kBins) counts[thread] = 0;
  __syncthreads();
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) atomicAdd(&counts[image[y * pitch + x]], 1u);
  __syncthreads();
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  if (thread < kBins) histograms[tile * kBins + thread] = counts[thread];
  // END SOLUTION
}

void histogram_tiles(const unsigned char* image, int width, int height, int pitch, unsigned* histograms) {
  // BEGIN SOLUTION
  // TODO(student): launch the kernel for all tiles, partial ones too. An empty image has none. (2 lines)
  // SKELETON: warpbook::not_started();
  const dim3 tiles((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  if (tiles.x * tiles.y > 0) tiles_kernel<<<tiles, dim3(kTile, kTile)>>>(image, width, height, pitch, histograms);
  // END SOLUTION
}

// ---- Part 3: all of the image ---------------------------------------------------------------------------------------

// Adds the first `pixels` of 16 bytes, but no more than 16, to the counts of a lane: count v is counts[v * kCopies].
__device__ void count_pixels(uint4 bytes, int pixels, unsigned* counts) {
  // BEGIN SOLUTION
  // TODO(student): put the four words of `bytes` into an array. Byte k of the 16 is bits 8 (k % 4) to 8 (k % 4) + 7 of
  // its word k / 4. Have the loop over k unrolled, so that the array stays in registers; have another one for pieces of
  // fewer than 16 pixels, so that most pieces do not ask for each pixel whether it exists. (10 lines)
  const unsigned words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
  const auto count = [&](int k) { atomicAdd(&counts[(words[k / 4] >> 8 * (k % 4) & 255) * kCopies], 1u); };
  if (pixels >= 16) {
#pragma unroll
    for (int k = 0; k < 16; ++k) count(k);
  } else {
#pragma unroll
    for (int k = 0; k < 16; ++k)
      if (k < pixels) count(k);
  }
  // END SOLUTION
}

// All blocks together take the pieces of the image, 16 bytes each: piece i is number i % m of row i / m, where m is the
// number of pieces in a row.
__global__ void histogram_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  // BEGIN SOLUTION
  // TODO(student): kBins * kCopies counts in shared memory. Set them to 0, then count the pieces: a thread begins with
  // the piece of its number in the grid, and advances by the number of threads in the grid. Then warp w sums the copies
  // of counts 8 w to 8 w + 7, by __reduce_add_sync; lane k keeps the sum of count 8 w + k, so that one atomicAdd of 8
  // lanes adds all of them to bins. (19 lines)
  __shared__ unsigned counts[kBins * kCopies];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pieces = (width + 15) / 16;
  for (int i = threadIdx.x; i < kBins * kCopies; i += kThreads) counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < pieces * height; i += gridDim.x * kThreads) {
    const int x = i % pieces * 16, y = i / pieces;
    count_pixels(*reinterpret_cast<const uint4*>(image + y * pitch + x), width - x, counts + lane);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < kBinsOf; ++k) {
    const unsigned of_all = __reduce_add_sync(0xffffffff, counts[(warp * kBinsOf + k) * kCopies + lane]);
    if (lane == k) sum = of_all;
  }
  if (lane < kBinsOf) atomicAdd(&bins[warp * kBinsOf + lane], sum);
  // END SOLUTION
}

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  // BEGIN SOLUTION
  // TODO(student): bins hold anything: set them to 0 (cudaMemsetAsync). Then launch two blocks for each multiprocessor,
  // but none without a piece. (4 lines)
  // SKELETON: warpbook::not_started();
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned));
  const int needed = ((width + 15) / 16 * height + kThreads - 1) / kThreads;
  const int blocks = needed < 2 * multiprocessors ? needed : 2 * multiprocessors;
  if (blocks > 0) histogram_kernel<<<blocks, kThreads>>>(image, width, height, pitch, bins);
  // END SOLUTION
}
