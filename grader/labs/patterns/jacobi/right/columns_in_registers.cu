// Other ways: threads that walk down a column with three of its points in registers, and a tile that is filled without
// a branch for what lies beyond the plate.
#define relax solution_relax
#define relax_tiled solution_relax_tiled
#include "solutions/patterns/jacobi/jacobi.cu"
#undef relax
#undef relax_tiled

/// Each thread walks down kWalk points of a column, and keeps the points above and below in registers.
constexpr int kWalk = 16, kWalkers = 64;

__global__ void walking_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  const int column = blockIdx.x * kWalkers + threadIdx.x, top = blockIdx.y * kWalk;
  if (column >= columns) return;
  float up = top > 0 ? from[(top - 1) * columns + column] : 0, here = from[top * columns + column];
  for (int row = top; row < min(top + kWalk, rows); ++row) {
    const int i = row * columns + column;
    const float down = row + 1 < rows ? from[i + columns] : 0;
    to[i] = is_edge(row, column, rows, columns) ? here : relaxed(up, down, from[i - 1], from[i + 1], source[i]);
    up = here;
    here = down;
  }
}

int relax(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  float* plates[] = {a, b};
  for (int s = 0; s < sweeps; ++s)
    walking_kernel<<<dim3(ceil_div(columns, kWalkers), ceil_div(rows, kWalk)), kWalkers>>>(
        plates[s % 2], plates[(s + 1) % 2], source, rows, columns);
  WB_CHECK(cudaGetLastError());
  return sweeps & 1;
}

/// A tile of 64 x 16, whose points beyond the plate are those nearest to them: no branch while it is filled.
__global__ void wide_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  __shared__ float tile[18][66];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 64 + threadIdx.x;
  const auto at = [&](int y, int x) { return from[min(max(y, 0), rows - 1) * columns + min(max(x, 0), columns - 1)]; };
  const int y = threadIdx.y + 1, x = threadIdx.x + 1;
  tile[y][x] = at(row, column);
  if (y == 1) tile[0][x] = at(row - 1, column);
  if (y == 16) tile[17][x] = at(row + 1, column);
  if (x == 1) tile[y][0] = at(row, column - 1);
  if (x == 64) tile[y][65] = at(row, column + 1);
  __syncthreads();
  if (row >= rows || column >= columns) return;
  to[row * columns + column] =
      is_edge(row, column, rows, columns)
          ? tile[y][x]
          : relaxed(tile[y - 1][x], tile[y + 1][x], tile[y][x - 1], tile[y][x + 1], source[row * columns + column]);
}

int relax_tiled(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  for (int s = 0; s < sweeps; ++s) {
    wide_kernel<<<dim3(ceil_div(columns, 64), ceil_div(rows, 16)), dim3(64, 16)>>>(a, b, source, rows, columns);
    std::swap(a, b);
  }
  WB_CHECK(cudaGetLastError());
  return sweeps % 2;
}
