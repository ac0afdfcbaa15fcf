// The tile has 32 columns, so each of its columns lies in one bank.
#include <algorithm>

#include "coalescing.h"

constexpr int kThreads = 256;  // Threads in a block, in parts 1 to 4.
constexpr int kPerThread = 4;  // Elements that one thread of the strided copy copies.
constexpr int kTile = 32;      // Side of the square of elements that one block transposes.
constexpr int kRows = 8;       // Such a block has kTile x kRows threads: each moves kTile / kRows elements of a column.
static_assert(kTile % kRows == 0);

// ---- Part 1: with a stride ------------------------------------------------------------------------------------------

int predict_sectors_strided(int stride) { return std::min(32, 4 * stride); }

// A block copies kThreads * kPerThread elements; in each turn of the loop, every thread copies one of them.
__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < kPerThread; ++turn) {
    const int i = (blockIdx.x * kPerThread + turn) * kThreads + threadIdx.x;
    if (i < count) out[i] = in[i * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;  // Rounded up.
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}

// ---- Part 2: with an offset -----------------------------------------------------------------------------------------

int predict_sectors_offset(int offset) { return offset % 8 == 0 ? 4 : 5; }

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = in[i + offset];
}

void copy_offset(const float* in, float* out, int count, int offset) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) copy_offset_kernel<<<blocks, kThreads>>>(in, out, count, offset);
}

// ---- Part 3: records ------------------------------------------------------------------------------------------------

int predict_bytes_per_useful_byte(int fields) { return std::min(8, fields); }

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const float4 record = reinterpret_cast<const float4*>(records)[i];
  fields[i] = record.x;
  fields[count + i] = record.y;
  fields[2 * count + i] = record.z;
  fields[3 * count + i] = record.w;
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

// ---- Part 4: 16 bytes for each lane ---------------------------------------------------------------------------------

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x, rest = count % 4;
  if (i < count / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i < rest) out[count - rest + i] = in[count - rest + i];
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}

// ---- Part 5: the transpose ------------------------------------------------------------------------------------------

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (row + k < rows && col < cols) tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * cols + col];
  __syncthreads();

  // The square's place in out: block coordinates change places, thread coordinates do not, so a warp still has a row.
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (out_row + k < cols && out_col < rows) out[(out_row + k) * rows + out_col] = tile[threadIdx.x][threadIdx.y + k];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
