// Exercise launch_limits: which launches a GPU accepts. launch_limits.h says what each function must do.
#include "launch_limits.h"

__global__ void count_threads(int* count) { atomicAdd(count, 1); }

int try_launch(int* count, int grid_x, int grid_y, int block_x, int block_y, int block_z, int shared) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch the kernel, then ask what became of it. (2 lines)
  count_threads<<<dim3(grid_x, grid_y), dim3(block_x, block_y, block_z), shared>>>(count);
  return cudaGetLastError() == cudaSuccess;
  // END SOLUTION
}

int fits(int grid_x, int grid_y, int block_x, int block_y, int block_z, int shared) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): mind that a product may not fit into an int. (4 lines)
  const long long threads = 1LL * block_x * block_y * block_z;
  if (grid_x == 0 || grid_y == 0 || threads == 0) return 0;
  if (block_x > 1024 || block_y > 1024 || block_z > 64 || threads > 1024) return 0;
  return grid_y <= 65535 && shared <= 48 * 1024;
  // END SOLUTION
}
