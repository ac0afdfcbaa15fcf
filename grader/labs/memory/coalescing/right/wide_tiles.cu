// Wide accesses throughout: eight bytes a lane in the copies, a swizzled tile that asynchronous copies fill.
#include <cuda_pipeline.h>

#include "coalescing.h"

namespace {

constexpr int kTile = 32;

__global__ void strided(const float* in, float* out, int count, int stride) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    out[i] = in[static_cast<long long>(i) * stride];
}

/// Two neighbouring elements a thread where their place in `out` allows it: the loads are those of scalars.
__global__ void offset_by(const float* in, float* out, int count, int offset) {
  const int thread = threadIdx.x + blockIdx.x * 512;
  for (int i = thread; i < thread + 512 && i < count; i += 256) out[i] = in[i + offset];
}

__global__ void split(const float4* records, float* fields, int count) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  if (i >= count) return;
  const float4 one = records[i];
  float* to = fields + i;
  for (const float value : {one.x, one.y, one.z, one.w}) {
    *to = value;
    to += count;
  }
}

__global__ void copy(const float* in, float* out, int count) {
  const int first = 4 * (blockIdx.x * 64 + threadIdx.x);
  if (first + 3 < count)
    *reinterpret_cast<int4*>(out + first) = *reinterpret_cast<const int4*>(in + first);
  else
    for (int i = first; i < count; ++i) out[i] = in[i];
}

/// Element (r, c) of the tile is at column c ^ r. Blocks run along `out`.
__global__ void turn(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, first_row = blockIdx.x * kTile, first_col = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y)
    if (first_row + y < rows && first_col + x < cols)
      __pipeline_memcpy_async(&tile[y][x ^ y], &in[(first_row + y) * cols + first_col + x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += blockDim.y)
    if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y ^ x];
}

}  // namespace

int predict_sectors_strided(int stride) {
  int sectors = 0;
  for (long long lane = 0, last = -1; lane < 32; last = lane * stride / 8, ++lane) sectors += lane * stride / 8 != last;
  return sectors;
}

int predict_sectors_offset(int offset) { return (offset + 31) / 8 - offset / 8 + 1; }
int predict_bytes_per_useful_byte(int fields) { return predict_sectors_strided(fields) / 4; }

void copy_strided(const float* in, float* out, int count, int stride) {
  if (count > 0) strided<<<(count + 1023) / 1024, 256>>>(in, out, count, stride);
}

void copy_offset(const float* in, float* out, int count, int offset) {
  if (count > 0) offset_by<<<(count + 511) / 512, 256>>>(in, out, count, offset);
}

void split_records(const float* records, float* fields, int count) {
  if (count > 0) split<<<(count + 1023) / 1024, 1024>>>(reinterpret_cast<const float4*>(records), fields, count);
}

void copy_vectorised(const float* in, float* out, int count) {
  if (count > 0) copy<<<(count + 255) / 256, 64>>>(in, out, count);
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  turn<<<dim3((rows + 31) / 32, (cols + 31) / 32), dim3(kTile, 4)>>>(in, out, rows, cols);
}
