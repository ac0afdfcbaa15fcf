// Part 4 as the solution has it, but for the tile's corner, which is computed before the loops that fill the tile.
// ptxas then keeps it to the end: 40 registers in place of 32, six blocks on a multiprocessor in place of eight.
#define convolve_separable solution_convolve_separable
#include "solutions/patterns/convolution/convolution.cu"
#undef convolve_separable

__device__ void load_from_corner(float (*tile)[kPitch], const float* image, int height, int width, int radius,
                                 Border border) {
  const int side = kTile + 2 * radius;
  const int first_row = static_cast<int>(blockIdx.y) * kTile - radius;
  const int first_column = static_cast<int>(blockIdx.x) * kTile - radius;
  for (int r = threadIdx.y; r < side; r += kRows)
    for (int c = threadIdx.x; c < side; c += kTile)
      tile[r][c] = pixel_at(image, first_row + r, first_column + c, height, width, border);
}

__global__ void corner_kernel(const float* image, float* out, int height, int width, int radius, Border border) {
  extern __shared__ float tile[][kPitch];
  const int rows = kTile + 2 * radius, side = 2 * radius + 1;
  float(*along)[kTile] = reinterpret_cast<float(*)[kTile]>(tile[rows]);
  load_from_corner(tile, image, height, width, radius, border);
  __syncthreads();
  for (int r = threadIdx.y; r < rows; r += kRows) {
    float sum = 0;
    for (int j = 0; j < side; ++j) sum += c_weights[side + j] * tile[r][threadIdx.x + j];
    along[r][threadIdx.x] = sum;
  }
  __syncthreads();
  float sums[kPixels] = {};
  for (int i = 0; i < side; ++i)
    for (int p = 0; p < kPixels; ++p) sums[p] += c_weights[i] * along[threadIdx.y + p * kRows + i][threadIdx.x];
  store_pixels(sums, out, height, width);
}

void convolve_separable(const float* image, const float* weights, float* out, int height, int width, int radius,
                        Border border) {
  if (height == 0 || width == 0) return;
  const int side = 2 * radius + 1, bytes = (kTile + 2 * radius) * (kPitch + kTile) * sizeof(float);
  WB_CHECK(cudaMemcpyToSymbolAsync(c_weights, weights, 2 * side * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  corner_kernel<<<blocks_of(height, width, kTile), dim3(kTile, kRows), bytes>>>(image, out, height, width, radius,
                                                                                border);
  WB_CHECK(cudaGetLastError());
}
