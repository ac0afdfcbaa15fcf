// An answer written without sight of the others: indices spelled out, one thing a line.
#include "coalescing.h"

constexpr int kThreads = 256;  // Threads in a block, in parts 1 to 4.
constexpr int kPerThread = 4;  // Elements that one thread of the strided copy copies.
constexpr int kTile = 32;      // Side of the square of elements that one block transposes.
constexpr int kRows = 8;       // Such a block has kTile x kRows threads: each moves kTile / kRows elements of a column.
static_assert(kTile % kRows == 0);

int predict_sectors_strided(int stride) {
  if (stride >= 8) {
    return 32;
  }
  return 4 * stride;
}

__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < 4; ++turn) {
    int i = blockIdx.x * 256 * 4 + turn * 256 + threadIdx.x;
    if (i < count) out[i] = in[i * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;  // Rounded up.
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}

int predict_sectors_offset(int offset) {
  if (offset % 8 == 0) {
    return 4;
  }
  return 5;
}

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = in[i + offset];
  }
}

void copy_offset(const float* in, float* out, int count, int offset) {
  if (count == 0) return;
  int blocks = (count + 255) / 256;
  copy_offset_kernel<<<blocks, 256>>>(in, out, count, offset);
}

int predict_bytes_per_useful_byte(int fields) {
  if (fields > 8) return 8;
  return fields;
}

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    float4 r = reinterpret_cast<const float4*>(records)[i];
    fields[0 * count + i] = r.x;
    fields[1 * count + i] = r.y;
    fields[2 * count + i] = r.z;
    fields[3 * count + i] = r.w;
  }
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int quads = count / 4;
  if (i < quads) {
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  }
  int j = quads * 4 + i;
  if (j < count) {
    out[j] = in[j];
  }
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];

  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (row + k < rows && col < cols) {
      tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * cols + col];
    }
  }
  __syncthreads();

  int out_col = blockIdx.y * 32 + threadIdx.x;
  int out_row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (out_row + k < cols && out_col < rows) {
      out[(out_row + k) * rows + out_col] = tile[threadIdx.x][threadIdx.y + k];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  dim3 block(32, 8);
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_kernel<<<grid, block>>>(in, out, rows, cols);
}
