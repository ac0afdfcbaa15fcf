// Validation cases: the ladder of matrix transposes.
#include "common/simulator/model/validation/cases.cuh"

namespace {

constexpr int kTile = 32;

__global__ void copy(const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < (blockIdx.y + 1) * kTile; y += blockDim.y)
    out[y * n + x] = in[y * n + x];
}

__global__ void strided_store(const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < (blockIdx.y + 1) * kTile; y += blockDim.y)
    out[x * n + y] = in[y * n + x];
}

__global__ void strided_load(const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < (blockIdx.y + 1) * kTile; y += blockDim.y)
    out[y * n + x] = in[x * n + y];
}

/// Padding 0: a whole column of the tile lies in one bank. Swizzle: no padding, columns rotated by the row instead.
template <int kPadding, bool kSwizzle>
__global__ void tiled(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + kPadding];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile;
  for (int j = threadIdx.y; j < kTile; j += blockDim.y)
    tile[j][kSwizzle ? threadIdx.x ^ j : threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile;
  for (int j = threadIdx.y; j < kTile; j += blockDim.y)
    out[(y + j) * n + x] = tile[threadIdx.x][kSwizzle ? j ^ threadIdx.x : j];
}

}  // namespace

void add_transposes(Cases& cases) {
  const float* in = cases.a;
  float* out = cases.b;
  for (int n : {256, 512, 1024, 2048, 4096, 8192}) {
    if (cases.reduced && n > 1024) continue;
    const std::string family = "transpose_" + std::to_string(n);
    const dim3 grid(n / kTile, n / kTile);
    for (int rows : {32, 8}) {
      const dim3 block(kTile, rows);
      const std::string suffix = rows == 32 ? "" : "_32x8";
      cases.add(family, "copy" + suffix, n, copy, grid, block, 0, in, out, n);
      cases.add(family, "strided_store" + suffix, n, strided_store, grid, block, 0, in, out, n);
      cases.add(family, "strided_load" + suffix, n, strided_load, grid, block, 0, in, out, n);
      cases.add(family, "tiled" + suffix, n, tiled<0, false>, grid, block, 0, in, out, n);
      cases.add(family, "padded" + suffix, n, tiled<1, false>, grid, block, 0, in, out, n);
      cases.add(family, "swizzled" + suffix, n, tiled<0, true>, grid, block, 0, in, out, n);
    }
  }
}
