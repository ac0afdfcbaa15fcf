// Sparse matrices in CSR format: a thread or a warp for each row, and conjugate gradients in one cooperative grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "sample.h"

namespace cg = cooperative_groups;

namespace {

struct Matrix {
  const int *first, *columns;
  const double* values;
  int rows;
};

__device__ double row_times(const Matrix& m, int row, const double* x) {
  double sum = 0;
  for (int e = m.first[row]; e < m.first[row + 1]; ++e) sum += m.values[e] * x[m.columns[e]];
  return sum;
}

__global__ void by_threads(Matrix m, const double* x, double* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m.rows) y[row] = row_times(m, row, x);
}

__global__ void by_warps(Matrix m, const double* x, double* y) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= m.rows) return;
  double sum = 0;
  for (int e = m.first[row] + warp.thread_rank(); e < m.first[row + 1]; e += 32) sum += m.values[e] * x[m.columns[e]];
  sum = cg::reduce(warp, sum, cg::plus<double>());
  if (warp.thread_rank() == 0) y[row] = sum;
}

/// The sum of all threads' values; every block adds up the blocks' partial sums in the same order.
__device__ double sum_of_grid(const cg::grid_group& grid, double own, double* parts) {
  __shared__ double warps[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  own = cg::reduce(warp, own, cg::plus<double>());
  if (warp.thread_rank() == 0) warps[warp.meta_group_rank()] = own;
  block.sync();
  if (block.thread_rank() == 0) {
    double sum = 0;
    for (unsigned w = 0; w < warp.meta_group_size(); ++w) sum += warps[w];
    parts[blockIdx.x] = sum;
  }
  grid.sync();
  double sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += __ldcg(&parts[b]);
  grid.sync();
  return sum;
}

__global__ void conjugate_gradients(Matrix m, double* x, double* r, double* p, double* parts, int* steps) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const bool mine = i < m.rows;
  double rr = sum_of_grid(grid, mine ? r[i] * r[i] : 0, parts);
  int step = 0;
  for (; rr > 1e-20 && step < 500; ++step) {
    const double ap = mine ? row_times(m, i, p) : 0;
    const double alpha = rr / sum_of_grid(grid, mine ? p[i] * ap : 0, parts);
    if (mine) x[i] += alpha * p[i], r[i] -= alpha * ap;
    const double next = sum_of_grid(grid, mine ? r[i] * r[i] : 0, parts);
    if (mine) p[i] = r[i] + next / rr * p[i];
    rr = next;
    grid.sync();
  }
  if (i == 0) *steps = step;
}

}  // namespace

int main() {
  // The five-point stencil of a square grid.
  constexpr int kSide = 24, kRows = kSide * kSide;
  std::vector<int> first(1), columns;
  std::vector<double> values, x(kRows), wanted(kRows);
  for (int row = 0; row < kRows; ++row) {
    const int at_x = row % kSide, at_y = row / kSide;
    const auto add = [&](bool there, int column, double value) {
      if (there) columns.push_back(column), values.push_back(value);
    };
    add(at_y > 0, row - kSide, -1);
    add(at_x > 0, row - 1, -1);
    add(true, row, 4.5);
    add(at_x < kSide - 1, row + 1, -1);
    add(at_y < kSide - 1, row + kSide, -1);
    first.push_back(static_cast<int>(columns.size()));
    x[row] = (row * 37 % 101 - 50) * 0.125;
  }
  for (int row = 0; row < kRows; ++row)
    for (int e = first[row]; e < first[row + 1]; ++e) wanted[row] += values[e] * x[columns[e]];
  sample::Device<int> device_first(first), device_columns(columns), steps(1);
  sample::Device<double> device_values(values), device_x(x), y(kRows), solution(kRows), p(kRows), parts(16);
  Matrix m{device_first, device_columns, device_values, kRows};
  by_threads<<<(kRows + 63) / 64, 64>>>(m, device_x, y);
  FINISH();
  sample::compare("by threads", y.get(), wanted);
  by_warps<<<(kRows + 3) / 4, 128>>>(m, device_x, y);
  FINISH();
  sample::compare("by warps", y.get(), wanted);

  CUDA(cudaMemcpy(p, y, kRows * sizeof(double), cudaMemcpyDeviceToDevice));
  double *ps = solution, *pr = y, *pp = p, *pparts = parts;
  int* psteps = steps;
  void* arguments[] = {&m, &ps, &pr, &pp, &pparts, &psteps};
  CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(conjugate_gradients), dim3(9), dim3(64), arguments, 0,
                                   nullptr));
  FINISH();
  sample::near("conjugate gradients", solution.get(), x, 1e-9);
  sample::holds("it took less than 80 steps", steps.get()[0] > 10 && steps.get()[0] < 80);
  return sample::passed();
}
