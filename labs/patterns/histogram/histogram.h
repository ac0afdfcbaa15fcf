// The contract of lab histogram: what the functions in histogram.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup histogram Lab histogram
/// How often each value occurs in an image: of each tile, and of all of it.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. `image` is only read. The functions start kernels on the default stream and need not wait for them.
///
/// An **image** has `height` rows of `width` pixels, one byte each: pixel x of row y is `image[y * pitch + x]`.
/// Width and height are 0 to 8192. `pitch` is a multiple of 16 and at least `width`, so that every row begins at a
/// multiple of 16 bytes; `height * pitch` is at most 2^24. The bytes after the last pixel of a row may be read; they
/// hold anything, and are no pixels.
///
/// A **histogram** is 256 counts: count v says how many pixels have the value v.
/// @{

/// How counts reach global memory.
enum class Plan {
  pixels,  ///< Each pixel is added to the image's histogram by an atomic addition.
  tiles,   ///< A block counts a tile of 32 x 32 pixels in shared memory, then adds all its 256 counts to the image's.
  blocks,  ///< 264 blocks share the image, whatever its size; each counts in shared memory, then adds its 256 counts.
};

/// Part 1: how many numbers are added to the histogram in global memory? Counts of 0 are added, too, by each of the 264
/// blocks, even if it has no pixel; tiles at the right and lower edge may be partial ones.
/// @param plan   which
/// @param width  pixels, 0 to 8192
/// @param height rows, 0 to 8192
int predict_additions(Plan plan, int width, int height);

/// Part 1: in shared memory, a block keeps `copies` histograms: word `value * copies + copy` is the count of a value in
/// one of them. Lane l of a warp has the value `(distance * l) % 256`, and adds 1 to its count in copy `l % copies`.
/// How many wavefronts does that take the warp? Lanes that add 1 to the same word share it.
/// @param copies   1, 2, 4, 8, 16 or 32
/// @param distance 0 to 255
int predict_wavefronts(int copies, int distance);

/// Part 2: the histogram of each tile. Tile (i, j) has the pixels x = 32 i to 32 i + 31 of the rows y = 32 j to
/// 32 j + 31, as far as they exist.
/// @param image      device, height * pitch bytes
/// @param width      pixels in a row
/// @param height     rows
/// @param pitch      bytes from one row to the next
/// @param histograms device, 256 counts for each tile, partial ones too; with m tiles side by side, tile (i, j) is
///                   number j * m + i
void histogram_tiles(const unsigned char* image, int width, int height, int pitch, unsigned* histograms);

/// Part 3: the histogram of all of the image.
/// @param image  device, height * pitch bytes
/// @param width  pixels in a row
/// @param height rows
/// @param pitch  bytes from one row to the next
/// @param bins   device, 256 counts; they may hold anything before
void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins);

/// @}
