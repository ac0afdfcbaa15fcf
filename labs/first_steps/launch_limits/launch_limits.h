// The contract of exercise launch_limits: which launches a GPU accepts, and what becomes of the others.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup launch_limits Exercise launch_limits
/// Which launches a GPU accepts, and what becomes of the others. A launch returns nothing: CUDA keeps the last error of
/// a host thread until `cudaGetLastError()` returns and clears it. All numbers are 0 to 100,000.
/// @{

/// Launches the kernel of the skeleton with a grid of dim3(grid_x, grid_y) blocks of dim3(block_x, block_y, block_z)
/// threads, each block with `shared` bytes of dynamic shared memory. A launch that CUDA refuses does nothing; leave no
/// error for the next call of cudaGetLastError().
/// @param count device, one element, to which each thread adds 1
/// @returns 1 if CUDA accepted the launch, 0 if not
int try_launch(int* count, int grid_x, int grid_y, int block_x, int block_y, int block_z, int shared);

/// Predicts what try_launch() returns. A block has at most 1024 threads, and at most 1024, 1024 and 64 in x, y and z; a
/// grid has at most 2^31 - 1 blocks in x and 65,535 in y; dynamic shared memory is limited to 48 KiB, unless the host
/// has allowed the kernel more, and may be 0. No size of a grid or block may be 0.
int fits(int grid_x, int grid_y, int block_x, int block_y, int block_z, int shared);

/// @}
