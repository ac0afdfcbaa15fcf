// Lab convolution: filters over an image, from weights in constant memory to two passes over a tile with its halo.
// This is the only file you edit. What each function must do is in convolution.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "convolution.h"

constexpr int kTile = 32;                        // A block computes kTile x kTile pixels.
constexpr int kRows = 8;                         // It has kRows rows of kTile threads: a warp is a row.
constexpr int kPixels = kTile / kRows;           // Parts 3 and 4: pixels of a thread, kRows rows apart.
constexpr int kPitch = kTile + 2 * kMostRadius;  // Floats of a row in shared memory: known to the compiler.

constexpr int kMostWeights = (2 * kMostRadius + 1) * (2 * kMostRadius + 1);
__constant__ float c_weights[kMostWeights];  // Of the filter that is applied.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

long long predict_multiply_adds(Way way, int height, int width, int radius) {
  // TODO(student): multiply-adds for a pixel, times the pixels; an int cannot hold 2^30 x 961. (2 lines)
  warpbook::not_started();
}

double predict_loads_per_pixel(int tile, int radius) {
  // TODO(student): the tile and what surrounds it, on all four sides. (2 lines)
  warpbook::not_started();
}

int predict_free_radius(Way way, double tflops, double gb_per_s) {
  // TODO(student): compare both times for radius 1, 2, 3, ... (5 lines)
  warpbook::not_started();
}

// ---- Part 2: weights in constant memory -----------------------------------------------------------------------------

// The pixel in this row and column, which may lie outside of the image: then the border rule says what it is.
__device__ float pixel_at(const float* image, int row, int column, int height, int width, Border border) {
  // TODO(student): clamp row and column to the image (min, max); return 0 if one of them changed and the rule is zero,
  // else the pixel there, in place of the next line. (4 lines)
  return 0;
}

__global__ void constant_kernel(const float* image, float* out, int height, int width, int radius, Border border) {
  // TODO(student): one thread computes one pixel, if it exists. (8 lines)
}

// Blocks of kTile columns and `rows` rows that cover the image.
inline dim3 blocks_of(int height, int width, int rows) {
  return dim3((width + kTile - 1) / kTile, (height + rows - 1) / rows);
}

void convolve_constant(const float* image, const float* filter, float* out, int height, int width, int radius,
                       Border border) {
  if (height == 0 || width == 0) return;
  // TODO(student): copy the weights to c_weights (cudaMemcpyToSymbolAsync; they are on the device already), launch
  // constant_kernel, and delete the next line. (4 lines)
  warpbook::not_started();
}

// ---- Part 3: a tile with its halo -----------------------------------------------------------------------------------

// Brings the block's pixels and `radius` pixels around them: kTile + 2 radius rows of as many pixels.
__device__ void load_tile(float (*tile)[kPitch], const float* image, int height, int width, int radius, Border border) {
  // TODO(student): two loops: a row of threads takes a row of the tile, then the one kRows further; a thread takes a
  // pixel of it, then the one kTile further. Every pixel goes through pixel_at(). (5 lines)
}

// Given: stores the thread's pixels, as far as they exist.
__device__ void store_pixels(const float (&sums)[kPixels], float* out, int height, int width) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int p = 0; p < kPixels; ++p) {
    const int row = blockIdx.y * kTile + p * kRows + threadIdx.y;
    if (row < height && column < width) out[row * width + column] = sums[p];
  }
}

__global__ void tiled_kernel(const float* image, float* out, int height, int width, int radius, Border border) {
  // TODO(student): fill the tile; barrier; for each weight, read it once and add to all kPixels sums: pixel p of the
  // thread is in row threadIdx.y + p * kRows of the block. Store the sums. (12 lines)
}

void convolve_tiled(const float* image, const float* filter, float* out, int height, int width, int radius,
                    Border border) {
  if (height == 0 || width == 0) return;
  // TODO(student): as above, with blocks of kTile rows, and as much shared memory as the tile needs: a row of it has
  // kPitch floats. (6 lines)
  warpbook::not_started();
}

// ---- Part 4: along rows, then along columns -------------------------------------------------------------------------

__global__ void separable_kernel(const float* image, float* out, int height, int width, int radius, Border border) {
  // TODO(student): fill the tile; barrier; sums along all rows of the tile, those of the halo too, into a second array
  // of kTile columns; barrier; sums of these along columns, kPixels for each thread. (16 lines)
}

void convolve_separable(const float* image, const float* weights, float* out, int height, int width, int radius,
                        Border border) {
  if (height == 0 || width == 0) return;
  // TODO(student): as above, with shared memory for both arrays. (6 lines)
  warpbook::not_started();
}
