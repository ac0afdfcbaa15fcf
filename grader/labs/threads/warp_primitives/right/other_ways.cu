// Other instructions for the same: a sum by one instruction, tiles of cooperative groups, a match for a ballot, swaps
// before and after.
#ifndef _CG_LIMIT_INCLUDED_DEPENDENCIES
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#endif
#include <cooperative_groups.h>

#include <algorithm>

#include "warp_primitives.h"

namespace cg = cooperative_groups;

int predict_down(int lane) {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  for (int d = 16; d > 0; d >>= 1) {
    int next[32];
    for (int i = 0; i < 32; ++i) next[i] = values[i] + values[i + d < 32 ? i + d : i];
    for (int i = 0; i < 32; ++i) values[i] = next[i];
  }
  return values[lane];
}

int predict_adds(Adds adds, int n, int bins) {
  int all = 0;
  for (int first = 0; first < n; first += 32) {
    const int lanes = n - first < 32 ? n - first : 32;
    all += adds == Adds::each_lane || lanes < bins ? lanes : bins;
  }
  return all;
}

int predict_element(int lane, int i, int exchanges) {
  for (int d = 16; exchanges > 0; --exchanges, d /= 2)
    if (((lane ^ i) & d) != 0) lane ^= d, i ^= d;
  return 32 * i + lane;
}

__global__ void other_sums(const int* in, int* sums, int rows, int columns) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {  // Blocks of one warp.
    int sum = 0;
    for (int c = threadIdx.x; c < columns; c += 32) sum += in[row * columns + c];
    sum = __reduce_add_sync(0xffffffff, sum);
    if (threadIdx.x == 7) sums[row] = sum;
  }
}

void sum_rows(const int* in, int* sums, int rows, int columns) {
  const int blocks = std::min(rows, 2000);
  if (rows > 0) other_sums<<<blocks, 32>>>(in, sums, rows, columns);
}

__global__ void other_normalise(const float4* in, float4* out, int quads) {
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float4 own = i < quads ? in[i] : float4{};
  float sum = own.x * own.x + own.y * own.y + own.z * own.z + own.w * own.w;
  for (unsigned distance = 1; distance < 32; distance *= 2) sum += tile.shfl_xor(sum, distance);
  const float scale = 1 / sqrtf(sum / 128 + 1e-6f);
  if (i < quads) out[i] = {own.x * scale, own.y * scale, own.z * scale, own.w * scale};
}

void normalise(const float* in, float* out, int rows) {
  if (rows > 0)
    other_normalise<<<(rows + 3) / 4, 128>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out),
                                             32 * rows);
}

__global__ void other_scan(const int* in, int* out, int rows, int columns) {
  const int row = blockIdx.x, lane = threadIdx.x;
  int before = 0;
  for (int c = lane; c - lane < columns; c += 32) {
    int sum = c < columns ? in[row * columns + c] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int below = __shfl_sync(0xffffffff, sum, lane - distance);
      sum += lane < distance ? 0 : below;
    }
    if (c < columns) out[row * columns + c] = before + sum;
    before += __shfl_sync(0xffffffff, sum, 31);
  }
}

void scan_rows(const int* in, int* out, int rows, int columns) {
  if (rows > 0) other_scan<<<rows, 32>>>(in, out, rows, columns);
}

__global__ void clear(int* counts, int n) {
  if (threadIdx.x < n) counts[threadIdx.x] = 0;
}

__global__ void other_compact(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;
  const bool keeps = i < n && in[i] > 0;
  const unsigned alike = __match_any_sync(0xffffffff, keeps ? 1 : 0);  // Keepers, or all others.
  const int leader = __ffs(alike) - 1;
  int place = 0;
  if (keeps && lane == leader) place = atomicAdd(count, __popc(alike));
  place = __shfl_sync(0xffffffff, place, leader);
  if (keeps) out[place + __popc(alike << (31 - lane)) - 1] = in[i];
}

void compact(const int* in, int* out, int* count, int n) {
  clear<<<1, 32>>>(count, 1);
  if (n > 0) other_compact<<<(n + 63) / 64, 64>>>(in, out, count, n);
}

__global__ void other_histogram(const int* keys, int* counts, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const int key = i < n ? keys[i] : -1;  // Lanes without a key match each other.
  const unsigned equal = __match_any_sync(0xffffffff, key);
  if (key >= 0 && equal >> threadIdx.x % 32 == 1) atomicAdd(&counts[key], __popc(equal));  // The highest lane.
}

void histogram(const int* keys, int* counts, int n, int bins) {
  clear<<<1, 1024>>>(counts, bins);
  if (n > 0) other_histogram<<<(n + 63) / 64, 64>>>(keys, counts, n);
}

__global__ void other_transpose(const int* in, int* out) {
  int own[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) own[i] = in[1024 * blockIdx.x + 32 * i + threadIdx.x];
#pragma unroll
  for (int bit = 0; bit < 5; ++bit) {
    const int distance = 1 << bit;
    const bool upper = threadIdx.x >> bit & 1;
#pragma unroll
    for (int pair = 0; pair < 16; ++pair) {
      const int i = pair / distance * 2 * distance + pair % distance, j = i + distance;
      if (upper) {  // Swaps, so that all lanes send register j.
        const int kept = own[i];
        own[i] = own[j], own[j] = kept;
      }
      own[j] = __shfl_xor_sync(0xffffffff, own[j], distance);
      if (upper) {
        const int kept = own[i];
        own[i] = own[j], own[j] = kept;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) out[1024 * blockIdx.x + 32 * i + threadIdx.x] = own[i];
}

void transpose_tiles(const int* in, int* out, int tiles) {
  if (tiles > 0) other_transpose<<<tiles, 32>>>(in, out);
}
