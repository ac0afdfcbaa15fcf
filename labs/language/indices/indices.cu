// Exercise indices: where a thread is in its block, its grid and its warp. See indices.h.
#include "indices.h"

// TODO(student): write the kernel. blockDim and gridDim have what it needs. (8 lines)

void number(int* out, int grid_x, int grid_y, int grid_z, int block_x, int block_y, int block_z) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}

int warps(int block_x, int block_y, int block_z) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}

int sectors(int block_x) {
  warpbook::not_started();  // TODO(student): what does a warp store, if its rows have 1, 8, 32 threads?
}
