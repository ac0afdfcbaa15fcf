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
  // BEGIN SOLUTION
  // TODO(student): multiply-adds for a pixel, times the pixels; an int cannot hold 2^30 x 961. (2 lines)
  // SKELETON: warpbook::not_started();
  const long long side = 2 * radius + 1;
  return (way == Way::direct ? side * side : 2 * side) * height * width;
  // END SOLUTION
}

double predict_loads_per_pixel(int tile, int radius) {
  // BEGIN SOLUTION
  // TODO(student): the tile and what surrounds it, on all four sides. (2 lines)
  // SKELETON: warpbook::not_started();
  const double side = tile + 2 * radius;
  return side * side / (1.0 * tile * tile);
  // END SOLUTION
}

int predict_free_radius(Way way, double tflops, double gb_per_s) {
  // BEGIN SOLUTION
  // TODO(student): compare both times for radius 1, 2, 3, ... (5 lines)
  // SKELETON: warpbook::not_started();
  const double most = 4 * tflops * 1e12 / (gb_per_s * 1e9);  // Multiply-adds in the time of 8 bytes.
  int radius = 0;
  while (predict_multiply_adds(way, 1, 1, radius + 1) <= most) ++radius;
  return radius;
  // END SOLUTION
}

// ---- Part 2: weights in constant memory -----------------------------------------------------------------------------

// The pixel in this row and column, which may lie outside of the image: then the border rule says what it is.
__device__ float pixel_at(const float* image, int row, int column, int height, int width, Border border) {
  // BEGIN SOLUTION
  // TODO(student): clamp row and column to the image (min, max); return 0 if one of them changed and the rule is zero,
  // else the pixel there, in place of the next line. (4 lines)
  // SKELETON: return 0;
  const int inside_row = min(max(row, 0), height - 1);
  const int inside_column = min(max(column, 0), width - 1);
  if (border == Border::zero && (row != inside_row || column != inside_column)) return 0;
  return image[inside_row * width + inside_column];
  // END SOLUTION
}

__global__ void constant_kernel(const float* image, float* out, int height, int width, int radius, Border border) {
  // BEGIN SOLUTION
  // TODO(student): one thread computes one pixel, if it exists. (8 lines)
  const int row = blockIdx.y * kRows + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x, side = 2 * radius + 1;
  if (row >= height || column >= width) return;
  float sum = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      sum += c_weights[i * side + j] * pixel_at(image, row + i - radius, column + j - radius, height, width, border);
  out[row * width + column] = sum;
  // END SOLUTION
}

// Blocks of kTile columns and `rows` rows that cover the image.
inline dim3 blocks_of(int height, int width, int rows) {
  return dim3((width + kTile - 1) / kTile, (height + rows - 1) / rows);
}

void convolve_constant(const float* image, const float* filter, float* out, int height, int width, int radius,
                       Border border) {
  if (height == 0 || width == 0) return;
  // BEGIN SOLUTION
  // TODO(student): copy the weights to c_weights (cudaMemcpyToSymbolAsync; they are on the device already), launch
  // constant_kernel, and delete the next line. (4 lines)
  // SKELETON: warpbook::not_started();
  const std::size_t side = 2 * radius + 1;
  WB_CHECK(cudaMemcpyToSymbolAsync(c_weights, filter, side * side * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  constant_kernel<<<blocks_of(height, width, kRows), dim3(kTile, kRows)>>>(image, out, height, width, radius, border);
  WB_CHECK(cudaGetLastError());
  // END SOLUTION
}

// ---- Part 3: a tile with its halo -----------------------------------------------------------------------------------

// Brings the block's pixels and `radius` pixels around them: kTile + 2 radius rows of as many pixels.
__device__ void load_tile(float (*tile)[kPitch], const float* image, int height, int width, int radius, Border border) {
  // BEGIN SOLUTION
  // TODO(student): two loops: a row of threads takes a row of the tile, then the one kRows further; a thread takes a
  // pixel of it, then the one kTile further. Every pixel goes through pixel_at(). (5 lines)
  const int side = kTile + 2 * radius;
  for (int r = threadIdx.y; r < side; r += kRows)
    for (int c = threadIdx.x; c < side; c += kTile)
      tile[r][c] = pixel_at(image, static_cast<int>(blockIdx.y) * kTile + r - radius,
                            static_cast<int>(blockIdx.x) * kTile + c - radius, height, width, border);
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): fill the tile; barrier; for each weight, read it once and add to all kPixels sums: pixel p of the
  // thread is in row threadIdx.y + p * kRows of the block. Store the sums. (12 lines)
  extern __shared__ float tile[][kPitch];
  load_tile(tile, image, height, width, radius, border);
  __syncthreads();
  const int side = 2 * radius + 1;
  float sums[kPixels] = {};
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const float weight = c_weights[i * side + j];
      for (int p = 0; p < kPixels; ++p) sums[p] += weight * tile[threadIdx.y + p * kRows + i][threadIdx.x + j];
    }
  store_pixels(sums, out, height, width);
  // END SOLUTION
}

void convolve_tiled(const float* image, const float* filter, float* out, int height, int width, int radius,
                    Border border) {
  if (height == 0 || width == 0) return;
  // BEGIN SOLUTION
  // TODO(student): as above, with blocks of kTile rows, and as much shared memory as the tile needs: a row of it has
  // kPitch floats. (6 lines)
  // SKELETON: warpbook::not_started();
  const std::size_t side = 2 * radius + 1, rows = kTile + 2 * radius;
  WB_CHECK(cudaMemcpyToSymbolAsync(c_weights, filter, side * side * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  tiled_kernel<<<blocks_of(height, width, kTile), dim3(kTile, kRows), rows * kPitch * sizeof(float)>>>(
      image, out, height, width, radius, border);
  WB_CHECK(cudaGetLastError());
  // END SOLUTION
}

// ---- Part 4: along rows, then along columns -------------------------------------------------------------------------

__global__ void separable_kernel(const float* image, float* out, int height, int width, int radius, Border border) {
  // BEGIN SOLUTION
  // TODO(student): fill the tile; barrier; sums along all rows of the tile, those of the halo too, into a second array
  // of kTile columns; barrier; sums of these along columns, kPixels for each thread. (16 lines)
  extern __shared__ float tile[][kPitch];
  const int side = 2 * radius + 1, rows = kTile + 2 * radius;
  float* along_rows = tile[rows];  // Behind the tile: rows x kTile sums.
  load_tile(tile, image, height, width, radius, border);
  __syncthreads();
  for (int r = threadIdx.y; r < rows; r += kRows) {
    float sum = 0;
    for (int j = 0; j < side; ++j) sum += c_weights[side + j] * tile[r][threadIdx.x + j];
    along_rows[r * kTile + threadIdx.x] = sum;
  }
  __syncthreads();
  float sums[kPixels] = {};
  for (int i = 0; i < side; ++i)
    for (int p = 0; p < kPixels; ++p)
      sums[p] += c_weights[i] * along_rows[(threadIdx.y + p * kRows + i) * kTile + threadIdx.x];
  store_pixels(sums, out, height, width);
  // END SOLUTION
}

void convolve_separable(const float* image, const float* weights, float* out, int height, int width, int radius,
                        Border border) {
  if (height == 0 || width == 0) return;
  // BEGIN SOLUTION
  // TODO(student): as above, with shared memory for both arrays. (6 lines)
  // SKELETON: warpbook::not_started();
  const std::size_t side = 2 * radius + 1, rows = kTile + 2 * radius;
  WB_CHECK(cudaMemcpyToSymbolAsync(c_weights, weights, 2 * side * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  separable_kernel<<<blocks_of(height, width, kTile), dim3(kTile, kRows), (kPitch + kTile) * rows * sizeof(float)>>>(
      image, out, height, width, radius, border);
  WB_CHECK(cudaGetLastError());
  // END SOLUTION
}
