// Exercise indices: where a thread is in its block, its grid and its warp. See indices.h.
#include "indices.h"

// BEGIN SOLUTION
// TODO(student): write the kernel. blockDim and gridDim have what it needs. (8 lines)
__global__ void number_kernel(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, width = gridDim.x * blockDim.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, height = gridDim.y * blockDim.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[(z * height + y) * width + x] = block * (blockDim.x * blockDim.y * blockDim.z) + in_block;
}
// END SOLUTION

void number(int* out, int grid_x, int grid_y, int grid_z, int block_x, int block_y, int block_z) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  number_kernel<<<dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z)>>>(out);
  // END SOLUTION
}

int warps(int block_x, int block_y, int block_z) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return (block_x * block_y * block_z + 31) / 32;
  // END SOLUTION
}

int sectors(int block_x) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): what does a warp store, if its rows have 1, 8, 32 threads?
  return block_x < 8 ? 32 / block_x : 4;
  // END SOLUTION
}
