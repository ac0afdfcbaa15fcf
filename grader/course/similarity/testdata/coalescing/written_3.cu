// An answer written without sight of the others: unsigned indices, local references, a swizzle in place of padding.
#include "coalescing.h"

constexpr int kThreads = 256;  // Threads in a block, in parts 1 to 4.
constexpr int kPerThread = 4;  // Elements that one thread of the strided copy copies.
constexpr int kTile = 32;      // Side of the square of elements that one block transposes.
constexpr int kRows = 8;       // Such a block has kTile x kRows threads: each moves kTile / kRows elements of a column.
static_assert(kTile % kRows == 0);

int predict_sectors_strided(int stride) {
  int sectors = stride * 4;
  if (sectors > 32) sectors = 32;
  return sectors;
}

__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < 4; ++turn) {
    unsigned idx = (blockIdx.x * 4 + turn) * 256 + threadIdx.x;
    if (idx < count) out[idx] = in[idx * stride];
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;  // Rounded up.
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}

int predict_sectors_offset(int offset) {
  int first = offset / 8;
  int last = (offset + 31) / 8;
  return last - first + 1;
}

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  unsigned idx = blockIdx.x * 256 + threadIdx.x;
  if (idx < count) out[idx] = in[idx + offset];
}

void copy_offset(const float* in, float* out, int count, int offset) {
  if (count > 0) copy_offset_kernel<<<(count - 1) / 256 + 1, 256>>>(in, out, count, offset);
}

int predict_bytes_per_useful_byte(int fields) { return fields < 8 ? fields : 8; }

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  unsigned idx = blockIdx.x * 256 + threadIdx.x;
  if (idx < count) {
    auto rec = reinterpret_cast<const float4*>(records)[idx];
    const float parts[4] = {rec.x, rec.y, rec.z, rec.w};
    for (int f = 0; f < 4; f++) {
      fields[f * count + idx] = parts[f];
    }
  }
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  unsigned idx = blockIdx.x * 256 + threadIdx.x;
  if (4 * idx + 3 < count) {
    ((float4*)out)[idx] = ((const float4*)in)[idx];
  } else {
    for (int k = 4 * idx; k < count; k++) out[k] = in[k];
  }
}

void copy_vectorised(const float* in, float* out, int count) {
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][32];
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned c = blockIdx.x * 32 + tx;
  for (unsigned j = 0; j < 4; j++) {
    unsigned r = blockIdx.y * 32 + ty + 8 * j;
    if (r < rows && c < cols) tile[ty + 8 * j][tx ^ (ty + 8 * j)] = in[r * cols + c];
  }
  __syncthreads();
  unsigned r = blockIdx.y * 32 + tx;
  for (unsigned j = 0; j < 4; j++) {
    unsigned c2 = blockIdx.x * 32 + ty + 8 * j;
    if (r < rows && c2 < cols) out[c2 * rows + r] = tile[tx][(ty + 8 * j) ^ tx];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows > 0 && cols > 0) {
    dim3 threads(32, 8, 1);
    dim3 blocks((cols - 1) / 32 + 1, (rows - 1) / 32 + 1, 1);
    transpose_kernel<<<blocks, threads>>>(in, out, rows, cols);
  }
}
