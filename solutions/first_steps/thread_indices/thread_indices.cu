// Exercise thread_indices: a thread for each element of a line, an image and a volume. See thread_indices.h.
#include "common/cuda/check.cuh"
#include "thread_indices.h"

int sectors(int width) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): in how many rows are 32 lanes, and how far apart? (1 line)
  return width < 8 ? 32 / width : 4;
  // END SOLUTION
}
// BEGIN SOLUTION
// TODO(student): write a kernel for each function below. (9 and 5 lines)
__global__ void blur_kernel(const int* in, int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0, pixels = 0;
  for (int row = max(y - 1, 0); row <= min(y + 1, height - 1); ++row)
    for (int column = max(x - 1, 0); column <= min(x + 1, width - 1); ++column, ++pixels)
      sum += in[row * width + column];
  out[y * width + x] = sum / pixels;
}
__global__ void number_kernel(int* out, int width, int height, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth) out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}
// END SOLUTION
int blocks_for(int elements, int threads) { return (elements + threads - 1) / threads; }

void blur(const int* in, int* out, int width, int height) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel; both sizes are a dim3(x, y). (1 line)
  blur_kernel<<<dim3(blocks_for(width, 32), blocks_for(height, 8)), dim3(32, 8)>>>(in, out, width, height);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

void number(int* out, int width, int height, int depth) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel; both sizes are a dim3(x, y, z). (2 lines)
  const dim3 grid(blocks_for(width, 32), blocks_for(height, 4), blocks_for(depth, 4));
  number_kernel<<<grid, dim3(32, 4, 4)>>>(out, width, height, depth);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}
