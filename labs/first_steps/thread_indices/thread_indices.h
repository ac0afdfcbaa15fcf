// The contract of exercise thread_indices: a thread for each element of a line, an image and a volume.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup thread_indices Exercise thread_indices
/// `width`, `height` and `depth` are 1 to 100,000 each, their product is at most 2^20, and pointers are device memory.
/// Neighbouring lanes take neighbouring x. One shape of blocks is enough for all sizes, even if most lanes then have no
/// element.
/// @{

/// Predicts how many sectors of 32 bytes a warp's store touches, if thread (x, y) of blocks of `width` x (256 / width)
/// threads stores the int at (x, y) of an image 1024 wide. Lanes go along x first. @param width a power of 2, 1 to 256
int sectors(int width);

/// In two dimensions: pixel (x, y), which is element y * width + x, 0 to 255, becomes the mean of the pixels from
/// (x - 1, y - 1) to (x + 1, y + 1) that lie in the image: their sum, divided by their number (`/` of int).
void blur(const int* in, int* out, int width, int height);

/// In three dimensions: element (x, y, z), which is (z * height + y) * width + x, becomes x + 100 * y + 10,000 * z. An
/// image has depth 1. A block has at most 1024 threads, 64 along z; a grid at most 65,535 blocks along y or z.
void number(int* out, int width, int height, int depth);

/// @}
