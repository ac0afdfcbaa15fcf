// An answer written without sight of the others: close to the handout's own words.
#include <algorithm>

#include "coalescing.h"

constexpr int kThreads = 256;  // Threads in a block, in parts 1 to 4.
constexpr int kPerThread = 4;  // Elements that one thread of the strided copy copies.
constexpr int kTile = 32;      // Side of the square of elements that one block transposes.
constexpr int kRows = 8;       // Such a block has kTile x kRows threads: each moves kTile / kRows elements of a column.
static_assert(kTile % kRows == 0);

int predict_sectors_strided(int stride) { return stride < 8 ? 4 * stride : 32; }

__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < 4; ++turn) {
    const int i = blockIdx.x * 1024 + turn * 256 + threadIdx.x;
    if (i < count) out[i] = in[i * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;  // Rounded up.
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}

int predict_sectors_offset(int offset) { return offset % 8 ? 5 : 4; }

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i + offset];
}

void copy_offset(const float* in, float* out, int count, int offset) {
  const int blocks = (count + 256 - 1) / 256;
  if (blocks > 0) copy_offset_kernel<<<blocks, 256>>>(in, out, count, offset);
}

int predict_bytes_per_useful_byte(int fields) { return std::min(fields, 8); }

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const float4 record = reinterpret_cast<const float4*>(records)[i];
    fields[i] = record.x;
    fields[i + count] = record.y;
    fields[i + 2 * count] = record.z;
    fields[i + 3 * count] = record.w;
  }
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int whole = count / 4;
  if (i < whole) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i < count % 4) out[4 * whole + i] = in[4 * whole + i];
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][32 + 1];
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (col < cols && row + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * cols + col];
  }
  __syncthreads();
  const int new_row = blockIdx.x * 32 + threadIdx.y;
  const int new_col = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    if (new_col < rows && new_row + k < cols) out[(new_row + k) * rows + new_col] = tile[threadIdx.x][threadIdx.y + k];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 blocks((cols + 31) / 32, (rows + 31) / 32);
  const dim3 threads(32, 8);
  if (rows > 0 && cols > 0) transpose_kernel<<<blocks, threads>>>(in, out, rows, cols);
}
