// All but smooth() is that of the solution; and strips of any number of rows, each with loads that wait for no branch.
#define smooth solution_smooth
#include "solutions/threads/occupancy/occupancy.cu"
#undef smooth

template <int kStripRows>
__global__ void __launch_bounds__(kThreads)
    strips_kernel(const float* in, float* out, int rows, int columns, Taps taps) {
  const int column = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kStripRows, last = rows + kTaps - 2;
  if (column >= columns) return;
  float sums[kStripRows] = {};
#pragma unroll
  for (int j = 0; j < kStripRows + kTaps - 1; ++j) {
    const float value = in[min(first + j, last) * columns + column];
#pragma unroll
    for (int r = 0; r < kStripRows; ++r)
      if (j >= r && j - r < kTaps) sums[r] += taps.weights[j - r] * value;
  }
#pragma unroll
  for (int r = 0; r < kStripRows; ++r)
    if (first + r < rows) out[(first + r) * columns + column] = sums[r];
}

template <int kStripRows>
void smooth_strips(const float* in, float* out, int rows, int columns, const Taps& taps) {
  const dim3 grid(pieces(columns, kThreads), pieces(rows, kStripRows));
  if (rows > 0) strips_kernel<kStripRows><<<grid, kThreads>>>(in, out, rows, columns, taps);
}
