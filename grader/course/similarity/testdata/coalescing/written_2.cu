// An answer written without sight of the others: loops over what a thread takes, early returns.
#include <algorithm>

#include "coalescing.h"

constexpr int kThreads = 256;  // Threads in a block, in parts 1 to 4.
constexpr int kPerThread = 4;  // Elements that one thread of the strided copy copies.
constexpr int kTile = 32;      // Side of the square of elements that one block transposes.
constexpr int kRows = 8;       // Such a block has kTile x kRows threads: each moves kTile / kRows elements of a column.
static_assert(kTile % kRows == 0);

int predict_sectors_strided(int stride) { return std::min(32, 4 * stride); }

__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < 4; ++turn) {
    const int first = blockIdx.x * (blockDim.x * 4);
    const int pos = first + turn * blockDim.x + threadIdx.x;
    if (pos >= count) return;
    out[pos] = in[pos * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;  // Rounded up.
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}

int predict_sectors_offset(int offset) { return (offset & 7) ? 5 : 4; }

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  const int pos = threadIdx.x + blockDim.x * blockIdx.x;
  if (pos >= count) return;
  out[pos] = in[offset + pos];
}

void copy_offset(const float* in, float* out, int count, int offset) {
  const int grid = (count + 256 - 1) / 256;
  if (grid != 0) {
    copy_offset_kernel<<<grid, 256>>>(in, out, count, offset);
  }
}

int predict_bytes_per_useful_byte(int fields) { return std::min(fields, 8); }

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  const int pos = threadIdx.x + blockDim.x * blockIdx.x;
  if (pos >= count) return;
  const float4 all = reinterpret_cast<const float4*>(records)[pos];
  float* target = fields + pos;
  *target = all.x;
  target += count;
  *target = all.y;
  target += count;
  *target = all.z;
  target += count;
  *target = all.w;
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  const int pos = threadIdx.x + blockDim.x * blockIdx.x;
  const float4* from = reinterpret_cast<const float4*>(in);
  float4* to = reinterpret_cast<float4*>(out);
  if (pos < count / 4) to[pos] = from[pos];
  const int tail = count & 3;
  if (pos < tail) out[count - 1 - pos] = in[count - 1 - pos];
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float square[32 * 33];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
  for (int dy = threadIdx.y; dy < 32; dy += blockDim.y) {
    const int x = x0 + threadIdx.x, y = y0 + dy;
    if (x < cols && y < rows) square[dy * 33 + threadIdx.x] = in[y * cols + x];
  }
  __syncthreads();
  for (int dx = threadIdx.y; dx < 32; dx += blockDim.y) {
    const int y = y0 + threadIdx.x, x = x0 + dx;
    if (x < cols && y < rows) out[x * rows + y] = square[threadIdx.x * 33 + dx];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const int across = (cols + 31) / 32, down = (rows + 31) / 32;
  if (across * down > 0) transpose_kernel<<<dim3(across, down), dim3(32, 8)>>>(in, out, rows, cols);
}
