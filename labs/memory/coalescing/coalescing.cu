// Lab coalescing: copies, records and a transpose in which neighbouring lanes touch neighbouring addresses.
// This is the only file you edit. What each function must do is in coalescing.h, what to do first in README.md.
#include <algorithm>

#include "coalescing.h"

constexpr int kThreads = 256;  // Threads in a block, in parts 1 to 4.
constexpr int kPerThread = 4;  // Elements that one thread of the strided copy copies.
constexpr int kTile = 32;      // Side of the square of elements that one block transposes.
constexpr int kRows = 8;       // Such a block has kTile x kRows threads: each moves kTile / kRows elements of a column.
static_assert(kTile % kRows == 0);

// ---- Part 1: with a stride ------------------------------------------------------------------------------------------

int predict_sectors_strided(int stride) {
  // TODO(student): 32 lanes read 4 bytes each, 4 * stride bytes apart. In how many 32-byte sectors do these lie?
  // Answer with one line in place of the next one.
  warpbook::not_started();
}

// A block copies kThreads * kPerThread elements; in each turn of the loop, every thread copies one of them.
__global__ void copy_strided_kernel(const float* in, float* out, int count, int stride) {
  for (int turn = 0; turn < kPerThread; ++turn) {
    // TODO(student): which element i does this thread copy in this turn? Choose it so that neighbouring threads copy
    // neighbouring elements. Then out[i] = in[i * stride], if i < count. (2 lines)
  }
}

void copy_strided(const float* in, float* out, int count, int stride) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  const int per_block = kThreads * kPerThread;
  const int blocks = (count + per_block - 1) / per_block;  // Rounded up.
  if (blocks > 0) copy_strided_kernel<<<blocks, kThreads>>>(in, out, count, stride);
}

// ---- Part 2: with an offset -----------------------------------------------------------------------------------------

int predict_sectors_offset(int offset) {
  // TODO(student): a warp reads 128 bytes in a row; the first is 4 * offset bytes into the array. How many sectors?
  // Answer with one line in place of the next one.
  warpbook::not_started();
}

__global__ void copy_offset_kernel(const float* in, float* out, int count, int offset) {
  // TODO(student): each thread copies one element, if there is one for it: out[i] = in[i + offset]. (2 lines)
}

void copy_offset(const float* in, float* out, int count, int offset) {
  // TODO(student): launch your kernel, but not with 0 blocks: CUDA refuses that. Then delete the next line. (2 lines)
  warpbook::not_started();
}

// ---- Part 3: records ------------------------------------------------------------------------------------------------

int predict_bytes_per_useful_byte(int fields) {
  // TODO(student): 32 lanes want 4 bytes each, 4 * fields bytes apart. Bytes moved, divided by bytes wanted? (1 line)
  warpbook::not_started();
}

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  // TODO(student): each thread loads one record as a whole, if there is one for it, and stores each field into its
  // array. A whole record is a float4: reinterpret_cast<const float4*>(records)[i] has the members x, y, z and w. (7
  // lines)
}

void split_records(const float* records, float* fields, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

// ---- Part 4: 16 bytes for each lane ---------------------------------------------------------------------------------

__global__ void copy_vectorised_kernel(const float* in, float* out, int count) {
  // TODO(student): each thread copies a float4, if there is one for it. Up to three floats are left at the end: the
  // first threads of the grid copy one each. (3 lines)
}

void copy_vectorised(const float* in, float* out, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  const int blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  if (blocks > 0) copy_vectorised_kernel<<<blocks, kThreads>>>(in, out, count);
}

// ---- Part 5: the transpose ------------------------------------------------------------------------------------------

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  // TODO(student): first get it right without shared memory: each thread moves the elements (row, col), (row + kRows,
  // col), ... of the block's square. (4 lines) Then let the block fetch the square row by row into a tile in shared
  // memory, wait for all of it, and write it row by row to out. (8 lines)
}

void transpose(const float* in, float* out, int rows, int cols) {
  // TODO(student): launch your kernel with blocks of kTile x kRows threads, one for each square of kTile x kTile
  // elements, partial ones included; none for an empty matrix. Then delete the next line. (4 lines)
  warpbook::not_started();
}
