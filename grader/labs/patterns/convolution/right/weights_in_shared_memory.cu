// Part 4 without constant memory, and so without a copy: each block brings the weights into shared memory. A warp takes
// two rows of the tile at a time, so that a weight that is read serves both.
#define convolve_separable solution_convolve_separable
#include "solutions/patterns/convolution/convolution.cu"
#undef convolve_separable

__global__ void shared_weights_kernel(const float* image, const float* weights, float* out, int height, int width,
                                      int radius, Border border) {
  extern __shared__ float tile[][kPitch];
  const int side = 2 * radius + 1, rows = kTile + 2 * radius, t = threadIdx.y * kTile + threadIdx.x;
  float *along_rows = tile[rows], *of_column = along_rows + rows * kTile, *of_row = of_column + side;
  if (t < 2 * side) of_column[t] = weights[t];
  load_tile(tile, image, height, width, radius, border);
  __syncthreads();
  for (int r = threadIdx.y; r < rows; r += 2 * kRows) {
    const bool is_pair = r + kRows < rows;
    const int other = is_pair ? r + kRows : r;
    float sum = 0, sum_of_other = 0;
    for (int j = 0; j < side; ++j) {
      sum += of_row[j] * tile[r][threadIdx.x + j];
      sum_of_other += of_row[j] * tile[other][threadIdx.x + j];
    }
    along_rows[r * kTile + threadIdx.x] = sum;
    if (is_pair) along_rows[other * kTile + threadIdx.x] = sum_of_other;
  }
  __syncthreads();
  float sums[kPixels] = {};
  for (int i = 0; i < side; ++i)
    for (int p = 0; p < kPixels; ++p)
      sums[p] += of_column[i] * along_rows[(threadIdx.y + p * kRows + i) * kTile + threadIdx.x];
  store_pixels(sums, out, height, width);
}

void convolve_separable(const float* image, const float* weights, float* out, int height, int width, int radius,
                        Border border) {
  if (height == 0 || width == 0) return;
  const std::size_t side = 2 * radius + 1, rows = kTile + 2 * radius;
  const std::size_t floats = rows * (kPitch + kTile) + 2 * side;
  shared_weights_kernel<<<blocks_of(height, width, kTile), dim3(kTile, kRows), floats * sizeof(float)>>>(
      image, weights, out, height, width, radius, border);
  WB_CHECK(cudaGetLastError());
}
