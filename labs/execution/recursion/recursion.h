// The contract of exercise recursion: a kernel that launches itself.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup recursion Exercise recursion
/// A kernel that launches itself. A grid has ended only when all grids that it launched have. A grid sees what the
/// thread that launches it has written before, and what that thread sees after a barrier; it need not see what is
/// written later.
/// @{

/// A grid of one block of 64 threads for `size` elements and `depth` adds `depth` to each of them. If `depth` is more
/// than 1, it then launches two such grids with depth - 1: one for the first size / 2 elements, one for the others.
/// There is no grid for 0 elements. The host launches the grid for all of them. The two grids of a block run at the
/// same time: not in the block's default stream, where one would wait for the other, but in `cudaStreamFireAndForget`,
/// the fourth argument between `<<<` and `>>>`, after 0 bytes of shared memory. (The build sets -rdc=true.)
/// @param data  device, `size` elements, to which the depths are added
/// @param size  1 to 20,000
/// @param depth 1 to 6
void add_levels(int* data, int size, int depth);

/// Predicts how many grids add_levels() takes, the one that the host launches included. `depth` is 1 to 20 here.
int grids(int size, int depth);

/// @}
