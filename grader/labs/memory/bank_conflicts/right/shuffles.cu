// A transpose without shared memory: halves, quarters, ... of a tile change places by shuffles. A swizzled product.
#include "bank_conflicts.h"

namespace {

constexpr int kTile = 32, kWarps = 4;

/// Lane c of a warp has column c of its tile in 32 registers, at the end row c.
__global__ void turn(const float* in, float* out, int count) {
  const int lane = threadIdx.x, tile = blockIdx.x * kWarps + threadIdx.y;
  if (tile >= count) return;
  float value[kTile];
#pragma unroll
  for (int row = 0; row < kTile; ++row) value[row] = in[(tile * kTile + row) * kTile + lane];
#pragma unroll
  for (int half = kTile / 2; half > 0; half /= 2) {
    const bool upper = (lane & half) != 0;
#pragma unroll
    for (int row = 0; row < kTile; ++row) {
      if ((row & half) != 0) continue;
      const float away = __shfl_xor_sync(0xffffffffu, upper ? value[row] : value[row + half], half);
      (upper ? value[row] : value[row + half]) = away;
    }
  }
#pragma unroll
  for (int row = 0; row < kTile; ++row) out[(tile * kTile + row) * kTile + lane] = value[row];
}

template <int Rows>
__global__ void multiply(const float* a, const float* b, float* c) {
  __shared__ float4 a_tile[kTile][kTile / 4], b_tile[kTile][kTile / 4];
  const int first = blockIdx.x * kTile * kTile, lane = threadIdx.x, warp = threadIdx.y;
  for (int i = warp * kTile + lane; i < kTile * kTile / 4; i += kTile * kTile / Rows) {
    const int row = i / 8, chunk = i % 8;
    a_tile[row][chunk] = reinterpret_cast<const float4*>(a + first)[i];
    b_tile[row][chunk ^ row % 8] = reinterpret_cast<const float4*>(b + first)[i];
  }
  __syncthreads();
  float sums[Rows] = {};
  for (int k = 0; k < kTile / 4; ++k) {
    const float4 v = b_tile[lane][k ^ lane % 8];
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      const float4 u = a_tile[warp * Rows + i][k];
      sums[i] += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
  }
  for (int i = 0; i < Rows; ++i) c[first + (warp * Rows + i) * kTile + lane] = sums[i];
}

}  // namespace

int predict_wavefronts(int bytes, int stride) {
  int ways = bytes / 4;
  for (; ways < 32 && stride % 2 == 0; stride /= 2) ways *= 2;
  return ways;
}

int choose_pitch(int width, int bytes) {
  const int size = bytes / 4;
  return ((width + size - 1) / size | 1) * size;
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) turn<<<(count + kWarps - 1) / kWarps, dim3(kTile, kWarps)>>>(in, out, count);
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply<8><<<count, dim3(kTile, 4)>>>(a, b, c);
}
