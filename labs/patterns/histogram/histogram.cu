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
  // TODO(student): count tiles, edges too, and what each adds. (4 lines)
  warpbook::not_started();
}

int predict_wavefronts(int copies, int distance) {
  // TODO(student): word w lies in bank w % 32. How many different words do the 32 lanes want from each bank, and from
  // the one that has most to deliver? (8 lines)
  warpbook::not_started();
}

// ---- Part 2: each tile ----------------------------------------------------------------------------------------------

// One block for each tile, one thread for each pixel: blockIdx is the tile, threadIdx the pixel in it.
__global__ void tiles_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* histograms) {
  // TODO(student): 256 counts in shared memory: the first 256 threads set them to 0, each thread that has a pixel adds
  // 1 to one of them, the first 256 threads store them. Who must have finished before what? (9 lines)
}

void histogram_tiles(const unsigned char* image, int width, int height, int pitch, unsigned* histograms) {
  // TODO(student): launch the kernel for all tiles, partial ones too. An empty image has none. (2 lines)
  warpbook::not_started();
}

// ---- Part 3: all of the image ---------------------------------------------------------------------------------------

// Adds the first `pixels` of 16 bytes, but no more than 16, to the counts of a lane: count v is counts[v * kCopies].
__device__ void count_pixels(uint4 bytes, int pixels, unsigned* counts) {
  // TODO(student): put the four words of `bytes` into an array. Byte k of the 16 is bits 8 (k % 4) to 8 (k % 4) + 7 of
  // its word k / 4. Have the loop over k unrolled, so that the array stays in registers; have another one for pieces of
  // fewer than 16 pixels, so that most pieces do not ask for each pixel whether it exists. (10 lines)
}

// All blocks together take the pieces of the image, 16 bytes each: piece i is number i % m of row i / m, where m is the
// number of pieces in a row.
__global__ void histogram_kernel(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  // TODO(student): kBins * kCopies counts in shared memory. Set them to 0, then count the pieces: a thread begins with
  // the piece of its number in the grid, and advances by the number of threads in the grid. Then warp w sums the copies
  // of counts 8 w to 8 w + 7, by __reduce_add_sync; lane k keeps the sum of count 8 w + k, so that one atomicAdd of 8
  // lanes adds all of them to bins. (19 lines)
}

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  // TODO(student): bins hold anything: set them to 0 (cudaMemsetAsync). Then launch two blocks for each multiprocessor,
  // but none without a piece. (4 lines)
  warpbook::not_started();
}
