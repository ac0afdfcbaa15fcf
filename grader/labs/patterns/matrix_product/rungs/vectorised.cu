// Squares of 64 x 64, 4 x 4 elements a thread, 16 bytes a load, but one pair of tiles: the block waits for each.
#include "grader/labs/patterns/matrix_product/rungs/solution.cuh"

// Four numbers by a load of 16 bytes where their row begins at a multiple of that, and 0 for what lies outside.
__device__ float4 loaded_quad(Matrix from, int row, int column) {
  const float* place = from.data + row * from.columns + column;
  if (row >= from.rows || column >= from.columns) return float4{};
  if (from.columns % 4 == 0) return *reinterpret_cast<const float4*>(place);
  const int left = from.columns - column;
  return {place[0], left > 1 ? place[1] : 0, left > 2 ? place[2] : 0, left > 3 ? place[3] : 0};
}

__global__ void __launch_bounds__(kThreads) vectorised_kernel(Matrix a, Matrix b, float* c, float alpha, float beta) {
  __shared__ __align__(16) float a_tile[kSide][kDepth], b_tile[kDepth][kSide];
  const int t = threadIdx.x, x = t % 16, y = t / 16, row = blockIdx.y * kSide, column = blockIdx.x * kSide;
  float sums[4][4] = {};
  for (int first = 0; first < a.columns; first += kDepth) {
    *reinterpret_cast<float4*>(&a_tile[t / 4][4 * (t % 4)]) = loaded_quad(a, row + t / 4, first + 4 * (t % 4));
    *reinterpret_cast<float4*>(&b_tile[y][4 * x]) = loaded_quad(b, first + y, column + 4 * x);
    __syncthreads();
    add_products(sums, a_tile, b_tile, x, y);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) store_quad(c, a.rows, b.columns, row + y + 16 * i, column + 4 * x, sums[i], alpha, beta);
}

void product(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha, float beta) {
  const dim3 grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  if (grid.x * grid.y > 0) vectorised_kernel<<<grid, kThreads>>>({a, rows, inner}, {b, inner, columns}, c, alpha, beta);
}
