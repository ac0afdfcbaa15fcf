// One thread for each element of C: every number of A and B comes from global memory, or from the L1 cache, each time.
#include "grader/labs/patterns/matrix_product/rungs/solution.cuh"

__global__ void naive_kernel(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha,
                             float beta) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
  float& to = c[row * columns + column];
  to = beta == 0 ? alpha * sum : alpha * sum + beta * to;
}

void product(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha, float beta) {
  const dim3 grid((columns + 31) / 32, (rows + 7) / 8);
  if (grid.x * grid.y > 0) naive_kernel<<<grid, dim3(32, 8)>>>(a, b, c, rows, inner, columns, alpha, beta);
}
