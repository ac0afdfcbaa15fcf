// Lab atomics: who adds to a sum, to which address, and in which order; and an atomic of your own.
// This is the only file you edit. What each function must do is in atomics.h, what to do first in README.md.
#include "atomics.h"

constexpr unsigned kAll = 0xffffffff;  // All 32 lanes.
constexpr int kThreads = 256;          // Threads in a block, but in sum_by_blocks.
constexpr int kLarge = 1024;           // Threads in a block of sum_by_blocks.
constexpr int kBlocks = 264;           // Most blocks of sum_by_blocks and sum_repeatable: they all fit on the GPU.
constexpr int kStrip = 64;             // Rows that a thread of column_sums adds up.

// Given: this thread's place in its warp, and how many pieces n elements are.
__device__ int lane() { return threadIdx.x % 32; }
int pieces(int n, int each) { return (n + each - 1) / each; }
int pieces(int n, int each, int most) { return pieces(n, each) < most ? pieces(n, each) : most; }

// Given: the sum of the values of all 32 lanes. Lane 0 gets it, the others get something else.
template <class T>
__device__ T sum_of_warp(T value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(kAll, value, distance);
  return value;
}

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_atomics(Adds adds, int n) {
  // TODO(student): how many threads, warps, blocks have at least one element? (2 lines)
  warpbook::not_started();
}

int predict_turns(int addresses, int stride) {
  // TODO(student): count the lanes on each of 32 * 32 words. Of each 8 words, the largest count counts. (9 lines)
  warpbook::not_started();
}

int predict_sum(Adds adds, int n) {
  // TODO(student): add as they would, in a float, one after the other. (4 lines)
  warpbook::not_started();
}

// ---- Part 2: one sum ------------------------------------------------------------------------------------------------

__global__ void sum_by_warps_kernel(const float* in, float* sum, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // TODO(student): sum_of_warp is for all 32 lanes, those without an element too. Who adds? (3 lines)
}

void sum_by_warps(const float* in, float* sum, int n) {
  warpbook::not_started();  // TODO(student): instead, set *sum to 0: cudaMemsetAsync(address, 0, bytes).
  if (n > 0) sum_by_warps_kernel<<<pieces(n, kThreads), kThreads>>>(in, sum, n);
}

// Adds the values of all threads of the block to *sum, by one atomicAdd. All threads of the block call it.
template <class T>
__device__ void add_of_block(T value, T* sum) {
  __shared__ T of_warps[32];
  // TODO(student): lane 0 of each warp leaves its warp's sum in shared memory. When all have done so, the first warp
  // adds these up: there are blockDim.x / 32. One thread adds the result to *sum. (8 lines)
}

__global__ void sum_by_blocks_kernel(const float* in, float* sum, int n) {
  float own = 0;
  // TODO(student): a grid-stride loop: each thread adds elements a whole grid apart. (1 to 2 lines)
  add_of_block(own, sum);
}

void sum_by_blocks(const float* in, float* sum, int n) {
  warpbook::not_started();  // TODO(student): instead, set *sum to 0.
  if (n > 0) sum_by_blocks_kernel<<<pieces(n, kLarge, kBlocks), kLarge>>>(in, sum, n);
}

// ---- Part 3: many sums ----------------------------------------------------------------------------------------------

// blockIdx.y is the number of a strip of 64 rows; the last one may have fewer. blockIdx.x is a piece of 256 columns.
__global__ void column_sums_kernel(const float* in, float* sums, int rows, int columns) {
  // TODO(student): which column has this thread, so that the lanes of a warp add to different ones? Add up the strip's
  // elements of it, then add that to the column's sum. (6 lines)
}

void column_sums(const float* in, float* sums, int rows, int columns) {
  warpbook::not_started();  // TODO(student): instead, set all sums to 0.
  const dim3 grid(pieces(columns, kThreads), pieces(rows, kStrip));
  if (rows > 0) column_sums_kernel<<<grid, kThreads>>>(in, sums, rows, columns);
}

// ---- Part 4: the same bits every time -------------------------------------------------------------------------------

// In units of 2^-40, as integers: their sums are exact in any order. Negative ones count down from 2^64.
__global__ void add_fixed_kernel(const float* in, unsigned long long* total, int n) {
  // TODO(student): as in sum_by_blocks_kernel, but with integers. A float times 0x1p40f is exact; make it a long long,
  // and that an unsigned long long, for which there is an atomicAdd. (4 lines)
}

__global__ void to_float_kernel(const unsigned long long* total, float* sum) {
  // TODO(student): back to a float, by one thread. The total may be negative: make it a long long first. (1 line)
}

void sum_repeatable(const float* in, float* sum, unsigned long long* scratch, int n) {
  warpbook::not_started();  // TODO(student): instead, set scratch[0] to 0: it is the total.
  if (n > 0) add_fixed_kernel<<<pieces(n, kThreads, kBlocks), kThreads>>>(in, scratch, n);
  to_float_kernel<<<1, 1>>>(scratch, sum);
}

// ---- Part 5: an atomic of your own ----------------------------------------------------------------------------------

// Takes `wanted` seats if they fit. Returns the first of them, or -1.
__device__ int take_seats(int* booked, int wanted, int seats) {
  // TODO(student): guess that `expected` seats are booked, 0 at first. While yours fit, let atomicCAS(booked, expected,
  // expected + wanted) take them: it returns what was there, your first seat or else your next guess. (6 lines)
  return -1;
}

__global__ void book_kernel(const int* flights, const int* wanted, int* booked, int* first, int n, int seats) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) first[i] = take_seats(&booked[flights[i]], wanted[i], seats);
}

void book(const int* flights, const int* wanted, int* booked, int* first, int n, int count, int seats) {
  warpbook::not_started();  // TODO(student): instead, set all of `booked` to 0.
  if (n > 0) book_kernel<<<pieces(n, kThreads), kThreads>>>(flights, wanted, booked, first, n, seats);
}
