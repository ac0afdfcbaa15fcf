// Lab bank_conflicts: shared memory whose 32 banks all deliver at once.
// This is the only file you edit. What each function must do is in bank_conflicts.h, what to do first in README.md.
#include <numeric>

#include "bank_conflicts.h"

constexpr int kTile = 32;           // Side of a tile.
constexpr int kChunks = kTile / 4;  // A row of a tile in pieces of four floats (float4, 16 bytes).
constexpr int kRows = 8;            // A block has kTile x kRows threads and does one tile.
static_assert(kTile % kRows == 0 && 4 * kChunks == kTile);

// ---- Part 1: predict ------------------------------------------------------------------------------------------------

int predict_wavefronts(int bytes, int stride) {
  // TODO(student): first for elements of 4 bytes, then for 8 and 16 too. std::gcd(a, b) may help. (1 line)
  warpbook::not_started();
}

int choose_pitch(int width, int bytes) {
  // TODO(student): a pitch counts words, the stride of predict_wavefronts() counts elements: which pitches are whole
  // elements? Which of these give it the smallest value? Take the first from width on. (3 lines)
  warpbook::not_started();
}

// ---- Part 2: transpose a tile ---------------------------------------------------------------------------------------

// Block t transposes tile t. Thread (x, y) moves the elements of column x in the rows y, y + kRows, ...
__global__ void transpose_tiles_kernel(const float* in, float* out) {
  // TODO(student): fetch the tile row by row into shared memory, wait for all of it, write it row by row to out.
  // (6 lines) Then make its columns free of conflicts: with padding, and then without any.
}

void transpose_tiles(const float* in, float* out, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) transpose_tiles_kernel<<<count, dim3(kTile, kRows)>>>(in, out);
}

// ---- Part 3: multiply tiles -----------------------------------------------------------------------------------------

__device__ float dot(float4 u, float4 v) { return u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w; }

// Block t computes tile t of c. Thread (x, y) computes the elements of column x in the rows y, y + kRows, ...
__global__ void multiply_transposed_kernel(const float* a, const float* b, float* c) {
  const int first = blockIdx.x * kTile * kTile;  // Of this block's tiles.
  const int x = threadIdx.x, y = threadIdx.y;
  float sums[kTile / kRows] = {};  // sums[i] is for row y + i * kRows.
  // TODO(student): fetch both tiles into shared memory as float4: 256 threads, 256 chunks in each, so one chunk a
  // thread. Wait. Then for each chunk k of a row: read chunk k of row x of b once, chunk k of each row that this
  // thread computes of a, and add dot() of the two. (10 lines) Free b's tile of conflicts: choose_pitch() knows how.
  for (int i = 0; i < kTile / kRows; ++i) c[first + (y + i * kRows) * kTile + x] = sums[i];
}

void multiply_transposed(const float* a, const float* b, float* c, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) multiply_transposed_kernel<<<count, dim3(kTile, kRows)>>>(a, b, c);
}
