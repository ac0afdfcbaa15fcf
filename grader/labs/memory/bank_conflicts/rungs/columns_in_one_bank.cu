// Each lane reads another row of b at the same column, and all of a column lies in one bank.
#include <numeric>

#include "bank_conflicts.h"

constexpr int kTile = 32;           // Side of a tile.
constexpr int kChunks = kTile / 4;  // A row of a tile in pieces of four floats (float4, 16 bytes).
constexpr int kRows = 8;            // A block has kTile x kRows threads and does one tile.
static_assert(kTile % kRows == 0 && 4 * kChunks == kTile);

// ---- Part 1: predict ------------------------------------------------------------------------------------------------

int predict_wavefronts(int bytes, int stride) { return std::gcd(bytes / 4 * stride, 32); }

int choose_pitch(int width, int bytes) {
  const int words = bytes / 4;                       // Of an element.
  const int elements = (width + words - 1) / words;  // Whole ones that a row has room for: keeps them aligned.
  return words * (elements | 1);                     // The next odd number of elements.
}

// ---- Part 2: transpose a tile ---------------------------------------------------------------------------------------

// Block t transposes tile t. Thread (x, y) moves the elements of column x in the rows y, y + kRows, ...
__global__ void transpose_tiles_kernel(const float* in, float* out) {
  const int first = blockIdx.x * kTile * kTile;  // Of this block's tile.
  const int x = threadIdx.x;
  __shared__ float tile[kTile][kTile];  // Element (row, column) is at [row][column ^ row].
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x ^ y] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) out[first + y * kTile + x] = tile[x][y ^ x];
}

void transpose_tiles(const float* in, float* out, int count) {
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}

// ---- Part 3: multiply tiles -----------------------------------------------------------------------------------------

__device__ float dot(float4 u, float4 v) { return u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w; }

// Block t computes tile t of c. Thread (x, y) computes the elements of column x in the rows y, y + kRows, ...
__global__ void multiply_transposed_kernel(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int first = blockIdx.x * kTile * kTile;  // Of this block's tiles.
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < kTile; row += kRows) {
    a_tile[row][x] = a[first + row * kTile + x];
    b_tile[row][x] = b[first + row * kTile + x];
  }
  __syncthreads();
  float sums[kTile / kRows] = {};  // sums[i] is for row y + i * kRows.
#pragma unroll 1  // Else ptxas merges four loads into one of 16 bytes, and the conflicts are 8-way on a GPU.
  for (int k = 0; k < kTile; ++k) {
    const float of_b = b_tile[x][k];
    for (int i = 0; i < kTile / kRows; ++i) sums[i] += a_tile[y + i * kRows][k] * of_b;
  }
  for (int i = 0; i < kTile / kRows; ++i) c[first + (y + i * kRows) * kTile + x] = sums[i];
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  if (count > 0) multiply_transposed_kernel<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
