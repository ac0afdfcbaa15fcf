// The contract of lab convolution: what the functions in convolution.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup convolution Lab convolution
/// Filters over an image: weights in constant memory, a tile with its halo in shared memory, two passes in one kernel.
///
/// Common to all: an image has `height` rows of `width` pixels, stored row by row without gaps. A filter of radius r
/// has 2r + 1 rows of 2r + 1 weights, stored in the same way. What comes out has the size of the image:
/// `out[y][x]` is the sum of `filter[i][j] * image[y + i - r][x + j - r]` over all i and j from 0 to 2r, where a border
/// rule says what pixels outside of the image are. Pointers are device pointers as cudaMalloc returns them (aligned to
/// 256 bytes); arrays do not overlap; image and weights are only read. All arithmetic is in single precision. The
/// functions start kernels and copies on the default stream and need not wait for them.
/// @{

/// Largest radius of a filter: 31 x 31 weights.
constexpr int kMostRadius = 15;

/// What pixels outside of the image are.
enum class Border {
  clamp,  ///< As the pixel of the image that is nearest: row and column are clamped to the image, independently.
  zero,   ///< 0.
};

/// Two ways to apply a filter whose weight (i, j) is column[i] * row[j].
enum class Way {
  direct,     ///< All (2r + 1)^2 weights for each pixel.
  separable,  ///< First the sums along rows, with the row's weights; then sums of those along columns.
};

/// Part 1: how many multiply-adds does a filter take, if each pixel of the image takes the same number, also at the
/// border? (The sums along rows that belong to pixels outside of the image do not count.)
/// @param way    how it is applied
/// @param height of the image, 0 to 2^15
/// @param width  of the image, 0 to 2^15
/// @param radius 0 to kMostRadius
long long predict_multiply_adds(Way way, int height, int width, int radius);

/// Part 1: a block computes a square of tile x tile pixels. It brings what it needs of the image once, into shared
/// memory. How many pixels does it bring for each pixel that it computes?
/// @param tile   1 to 1024
/// @param radius 0 to kMostRadius
double predict_loads_per_pixel(int tile, int radius);

/// Part 1: each pixel takes 4 bytes to read and 4 to write, and 2 operations for each multiply-add. Up to which radius
/// do the operations take no longer than the bytes?
/// @param way      how the filter is applied
/// @param tflops   10^12 operations that the GPU does in a second
/// @param gb_per_s 10^9 bytes that its memory moves in a second; so few that radius 0 (separable, too) takes no longer
/// @returns a radius, which may be larger than kMostRadius
int predict_free_radius(Way way, double tflops, double gb_per_s);

/// Part 2: applies a filter; its weights are in constant memory.
/// @param image  device, height x width pixels
/// @param filter device, (2 radius + 1)^2 weights
/// @param out    device, height x width pixels; written, never read
/// @param height 0 to 4096
/// @param width  0 to 4096; height * width * (2 radius + 1)^2 is at most 2^25
/// @param radius 0 to kMostRadius
/// @param border what pixels outside of the image are
void convolve_constant(const float* image, const float* filter, float* out, int height, int width, int radius,
                       Border border);

/// Part 3: the same, by tiles in shared memory. Ranges are those of part 2.
/// @param image  as above
/// @param filter as above
/// @param out    as above
/// @param height as above
/// @param width  as above
/// @param radius as above
/// @param border as above
void convolve_tiled(const float* image, const float* filter, float* out, int height, int width, int radius,
                    Border border);

/// Part 4: applies the filter whose weight (i, j) is `weights[i] * weights[2 radius + 1 + j]`: the weights of a column
/// come first, then those of a row. One kernel does it; the sums along rows stay on the multiprocessor.
/// @param image   as above
/// @param weights device, 2 (2 radius + 1) weights
/// @param out     as above
/// @param height  0 to 4096
/// @param width   0 to 4096; height * width is at most 2^20
/// @param radius  as above
/// @param border  as above
void convolve_separable(const float* image, const float* weights, float* out, int height, int width, int radius,
                        Border border);

/// @}
