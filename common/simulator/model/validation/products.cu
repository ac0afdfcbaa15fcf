// Validation cases: matrix products (naive, tiled, register-tiled) and matrix-vector products.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__global__ void naive(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

/// Adjacent threads use adjacent rows: every access of a warp touches 32 lines.
__global__ void naive_by_rows(const float* a, const float* b, float* c, int n) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

template <int kTile>
__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  float sum = 0;
  for (int t = 0; t < n; t += kTile) {
    ta[ty][tx] = a[y * n + t + tx];
    tb[ty][tx] = b[(t + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += ta[ty][k] * tb[k][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

/// A block of 16 x 16 threads computes 64 x 64 results, 4 x 4 in the registers of each thread.
__global__ void register_tiled(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 64, kDepth = 16, kPer = 4;
  __shared__ float ta[kDepth][kTile + 1], tb[kDepth][kTile];
  const int t = threadIdx.y * 16 + threadIdx.x;
  const int x0 = blockIdx.x * kTile, y0 = blockIdx.y * kTile;
  float sum[kPer][kPer] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    for (int i = t; i < kTile * kDepth; i += 256) {
      ta[i % kDepth][i / kDepth] = a[(y0 + i / kDepth) * n + k0 + i % kDepth];
      tb[i / kTile][i % kTile] = b[(k0 + i / kTile) * n + x0 + i % kTile];
    }
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      float va[kPer], vb[kPer];
      for (int i = 0; i < kPer; ++i) va[i] = ta[k][threadIdx.y * kPer + i];
      for (int j = 0; j < kPer; ++j) vb[j] = tb[k][threadIdx.x * kPer + j];
      for (int i = 0; i < kPer; ++i)
        for (int j = 0; j < kPer; ++j) sum[i][j] += va[i] * vb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kPer; ++i)
    for (int j = 0; j < kPer; ++j) c[(y0 + threadIdx.y * kPer + i) * n + x0 + threadIdx.x * kPer + j] = sum[i][j];
}

__global__ void matrix_vector_thread_per_row(const float* a, const float* x, float* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[static_cast<std::size_t>(row) * n + k] * x[k];
  y[row] = sum;
}

__global__ void matrix_vector_warp_per_row(const float* a, const float* x, float* y, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  float sum = 0;
  for (int k = lane; k < n; k += 32) sum += a[static_cast<std::size_t>(row) * n + k] * x[k];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}

}  // namespace

void add_products(Cases& cases) {
  const float *a = cases.a, *b = cases.b;
  float* c = cases.c;
  for (int n : {128, 256, 512, 1024, 2048}) {
    if (cases.reduced && n > 256) continue;
    const std::string family = "product_" + std::to_string(n);
    const dim3 grid16(n / 16, n / 16), grid32(n / 32, n / 32);
    if (n <= 1024) cases.add(family, "naive_by_rows", n, naive_by_rows, grid16, dim3(16, 16), 0, a, b, c, n);
    cases.add(family, "naive16", n, naive, grid16, dim3(16, 16), 0, a, b, c, n);
    cases.add(family, "naive32", n, naive, grid32, dim3(32, 32), 0, a, b, c, n);
    cases.add(family, "tiled16", n, tiled<16>, grid16, dim3(16, 16), 0, a, b, c, n);
    cases.add(family, "tiled32", n, tiled<32>, grid32, dim3(32, 32), 0, a, b, c, n);
    cases.add(family, "register_tiled", n, register_tiled, dim3(n / 64, n / 64), dim3(16, 16), 0, a, b, c, n);
  }
  for (int n : {1024, 4096, 8192}) {
    if (cases.reduced && n > 1024) continue;
    const std::string family = "matrix_vector_" + std::to_string(n);
    cases.add(family, "thread_per_row", n, matrix_vector_thread_per_row, ceil_div(n, 256), 256, 0, a, b, c, n);
    cases.add(family, "warp_per_row", n, matrix_vector_warp_per_row, ceil_div(std::size_t(n) * 32, 256), 256, 0, a, b,
              c, n);
  }
}
