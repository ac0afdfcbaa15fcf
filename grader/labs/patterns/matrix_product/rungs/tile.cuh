// Square tiles of A and B in shared memory, a thread for each element of C.

#include "grader/labs/patterns/matrix_product/rungs/solution.cuh"

template <int kTileSide>
__global__ void tile_kernel(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha,
                            float beta) {
  __shared__ __align__(16) float a_tile[kTileSide][kTileSide], b_tile[kTileSide][kTileSide];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTileSide + y, column = blockIdx.x * kTileSide + x;
  float sum = 0;
  for (int first = 0; first < inner; first += kTileSide) {
    a_tile[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
    b_tile[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTileSide; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row >= rows || column >= columns) return;
  float& to = c[row * columns + column];
  to = beta == 0 ? alpha * sum : alpha * sum + beta * to;
}

template <int kTileSide>
void product_by_tiles(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha,
                      float beta) {
  const dim3 grid((columns + kTileSide - 1) / kTileSide, (rows + kTileSide - 1) / kTileSide);
  if (grid.x * grid.y > 0)
    tile_kernel<kTileSide><<<grid, dim3(kTileSide, kTileSide)>>>(a, b, c, rows, inner, columns, alpha, beta);
}
