// A tile turned row by row, filled by asynchronous copies; a product in which each thread has 4 rows and 2 columns.
#include <cuda_pipeline.h>

#include <bit>

#include "bank_conflicts.h"

namespace {

constexpr int kTile = 32, kChunks = 8;

__global__ void turn(const float* in, float* out) {
  __shared__ float tile[kTile * kTile];
  const float* from = in + blockIdx.x * kTile * kTile;
  float* to = out + blockIdx.x * kTile * kTile;
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x)
    __pipeline_memcpy_async(&tile[i / kTile * kTile + (i + i / kTile) % kTile], from + i, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) {
    const int row = i % kTile, column = i / kTile;
    to[i] = tile[row * kTile + (column + row) % kTile];
  }
}

__device__ float4& at(float4* tile, int row, int chunk) { return tile[row * kChunks + (chunk ^ row % kChunks)]; }

/// Four warps. Lane l of a warp: rows 8 * warp + 4 * (l / 16) on, columns l % 16 and 16 more.
__global__ void multiply(const float4* a, const float4* b, float* c) {
  __shared__ float4 a_tile[kTile * kChunks], b_tile[kTile * kChunks];
  const int first = blockIdx.x * kTile * kChunks;
  for (int i = threadIdx.x; i < kTile * kChunks; i += blockDim.x) {
    a_tile[i] = a[first + i];
    at(b_tile, i / kChunks, i % kChunks) = b[first + i];
  }
  __syncthreads();
  const int row = threadIdx.x / 16 * 4, column = threadIdx.x % 16;
  float sums[4][2] = {};
#pragma unroll
  for (int k = 0; k < kChunks; ++k) {
    const float4 of_b[2] = {at(b_tile, column, k), at(b_tile, column + 16, k)};
    for (int r = 0; r < 4; ++r) {
      const float4 of_a = a_tile[(row + r) * kChunks + k];
      for (int s = 0; s < 2; ++s) {
        sums[r][s] = fmaf(of_a.x, of_b[s].x, sums[r][s]);
        sums[r][s] = fmaf(of_a.y, of_b[s].y, sums[r][s]);
        sums[r][s] = fmaf(of_a.z, of_b[s].z, sums[r][s]);
        sums[r][s] = fmaf(of_a.w, of_b[s].w, sums[r][s]);
      }
    }
  }
  for (int r = 0; r < 4; ++r)
    for (int s = 0; s < 2; ++s) c[first * 4 + (row + r) * kTile + column + 16 * s] = sums[r][s];
}

}  // namespace

int predict_wavefronts(int bytes, int stride) {
  const unsigned words = static_cast<unsigned>(stride) * (bytes / 4);
  return words % 32 == 0 ? 32 : 1 << std::countr_zero(words);
}

int choose_pitch(int width, int bytes) {
  int pitch = width;
  while (pitch * 4 % bytes != 0 || pitch * 4 / bytes % 2 == 0) ++pitch;
  return pitch;
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) turn<<<count, 128>>>(in, out);
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply<<<count, 128>>>(reinterpret_cast<const float4*>(a), reinterpret_cast<const float4*>(b), c);
}
