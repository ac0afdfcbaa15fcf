// A launch for each sweep, and neighbouring threads along a column, as indices in the wrong order have it.
#define relax_blocked solution_relax_blocked
#include "solutions/patterns/jacobi/jacobi.cu"
#undef relax_blocked

__global__ void strided_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  const int row = blockIdx.x * kTile + threadIdx.x, column = blockIdx.y * kThreadRows + threadIdx.y;
  if (row >= rows || column >= columns) return;
  const int i = row * columns + column;
  to[i] = is_edge(row, column, rows, columns)
              ? from[i]
              : relaxed(from[i - columns], from[i + columns], from[i - 1], from[i + 1], source[i]);
}

int relax_blocked(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  const dim3 blocks(ceil_div(rows, kTile), ceil_div(columns, kThreadRows)), threads(kTile, kThreadRows);
  for (int s = 0; s < sweeps; ++s) {
    strided_kernel<<<blocks, threads>>>(a, b, source, rows, columns);
    std::swap(a, b);
  }
  WB_CHECK(cudaGetLastError());
  return sweeps % 2;
}
