// Exercise launch_limits: which launches a GPU accepts. launch_limits.h says what each function must do.
#include "launch_limits.h"

__global__ void count_threads(int* count) { atomicAdd(count, 1); }

int try_launch(int* count, int grid_x, int grid_y, int block_x, int block_y, int block_z, int shared) {
  warpbook::not_started();  // TODO(student): launch the kernel, then ask what became of it. (2 lines)
}

int fits(int grid_x, int grid_y, int block_x, int block_y, int block_z, int shared) {
  warpbook::not_started();  // TODO(student): mind that a product may not fit into an int. (4 lines)
}
