// The contract of exercise indices: where a thread is in its block, its grid and its warp.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup indices Exercise indices
/// Where a thread is in its block, its grid and its warp. Blocks and grids have up to three dimensions; one that a
/// `dim3` is not given is 1. Threads of a block are counted with x first, then y, then z; 32 that follow each other in
/// this order are a warp, wherever rows end. Blocks of a grid are counted in the same way.
/// @{

/// Launches a grid of dim3(grid_x, grid_y, grid_z) blocks of dim3(block_x, block_y, block_z) threads, which is a volume
/// of width x height x depth threads: width = grid_x * block_x, and so on. The thread at (x, y, z) of the volume
/// stores, once, to out[(z * height + y) * width + x] its number: the number of its block times the threads of a block,
/// plus its number in the block.
/// @param out device, an element for each thread, 1 to 2^18; a block has 1 to 1024 threads, and at most 64 in z
void number(int* out, int grid_x, int grid_y, int grid_z, int block_x, int block_y, int block_z);

/// Predicts how many stores number() makes for one block, one for each of its warps: how many warps a block has.
int warps(int block_x, int block_y, int block_z);

/// Predicts how many sectors of 32 bytes such a store touches. The block has block_x x (1024 / block_x) threads,
/// block_x a power of two, 1 to 1024; the grid has 64 blocks in x, and a row begins with a sector.
int sectors(int block_x);

/// @}
