// The contract of exercise thread_indices: a thread for each element of a line, an image and a volume.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup thread_indices Exercise thread_indices
/// A thread for each element of a line, an image and a volume. `width`, `height` and `depth` are 1 to 100,000 each, and
/// their product is at most 2^20. All pointers are device memory. Neighbouring lanes take neighbouring x.
/// @{

/// In two dimensions: each pixel, element y * width + x, becomes the mean of the pixels from (x - 1, y - 1) to
/// (x + 1, y + 1) that lie in the image, itself included: their sum, divided by how many there are (`/` of int).
/// @param in values 0 to 255; only read
void blur(const int* in, int* out, int width, int height);

/// In three dimensions: element (x, y, z), which is (z * height + y) * width + x, becomes x + 100 * y + 10,000 * z. A
/// line has height and depth 1, an image has depth 1. Mind the limits: a block has at most 1024 threads, 64 of them
/// along z; a grid has at most 65,535 blocks along y or z.
void number(int* out, int width, int height, int depth);

/// @}
