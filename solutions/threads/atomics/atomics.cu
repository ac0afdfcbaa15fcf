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
  // BEGIN SOLUTION
  // TODO(student): how many threads, warps, blocks have at least one element? (2 lines)
  // SKELETON: warpbook::not_started();
  const int share = adds == Adds::each_element ? 1 : adds == Adds::each_warp ? 32 : kThreads;
  return pieces(n, share);
  // END SOLUTION
}

int predict_turns(int addresses, int stride) {
  // BEGIN SOLUTION
  // TODO(student): count the lanes on each of 32 * 32 words. Of each 8 words, the largest count counts. (9 lines)
  // SKELETON: warpbook::not_started();
  int lanes[32 * 32] = {};
  for (int lane = 0; lane < 32; ++lane) ++lanes[lane % addresses * stride];
  int turns = 0;
  for (int sector = 0; sector < 128; ++sector) {
    int most = 0;
    for (int word = 8 * sector; word < 8 * sector + 8; ++word)
      if (lanes[word] > most) most = lanes[word];
    turns += most;
  }
  return turns;
  // END SOLUTION
}

int predict_sum(Adds adds, int n) {
  // BEGIN SOLUTION
  // TODO(student): add as they would, in a float, one after the other. (4 lines)
  // SKELETON: warpbook::not_started();
  const int share = adds == Adds::each_element ? 1 : adds == Adds::each_warp ? 32 : kThreads;
  float sum = 16777216.0f;
  for (int i = 0; i < n; i += share) sum += static_cast<float>(share < n - i ? share : n - i);
  return static_cast<int>(sum);
  // END SOLUTION
}

// ---- Part 2: one sum ------------------------------------------------------------------------------------------------

__global__ void sum_by_warps_kernel(const float* in, float* sum, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // BEGIN SOLUTION
  // TODO(student): sum_of_warp is for all 32 lanes, those without an element too. Who adds? (3 lines)
  const float of_warp = sum_of_warp(i < n ? in[i] : 0.0f);
  if (lane() == 0) atomicAdd(sum, of_warp);
  // END SOLUTION
}

void sum_by_warps(const float* in, float* sum, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): instead, set *sum to 0: cudaMemsetAsync(address, 0, bytes).
  cudaMemsetAsync(sum, 0, sizeof(float));
  // END SOLUTION
  if (n > 0) sum_by_warps_kernel<<<pieces(n, kThreads), kThreads>>>(in, sum, n);
}

// Adds the values of all threads of the block to *sum, by one atomicAdd. All threads of the block call it.
template <class T>
__device__ void add_of_block(T value, T* sum) {
  __shared__ T of_warps[32];
  // BEGIN SOLUTION
  // TODO(student): lane 0 of each warp leaves its warp's sum in shared memory. When all have done so, the first warp
  // adds these up: there are blockDim.x / 32. One thread adds the result to *sum. (8 lines)
  const T of_warp = sum_of_warp(value);
  if (lane() == 0) of_warps[threadIdx.x / 32] = of_warp;
  __syncthreads();
  if (threadIdx.x < 32) {
    const T of_block = sum_of_warp(threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : T(0));
    if (threadIdx.x == 0) atomicAdd(sum, of_block);
  }
  // END SOLUTION
}

__global__ void sum_by_blocks_kernel(const float* in, float* sum, int n) {
  float own = 0;
  // BEGIN SOLUTION
  // TODO(student): a grid-stride loop: each thread adds elements a whole grid apart. (1 to 2 lines)
  for (int i = blockIdx.x * kLarge + threadIdx.x; i < n; i += gridDim.x * kLarge) own += in[i];
  // END SOLUTION
  add_of_block(own, sum);
}

void sum_by_blocks(const float* in, float* sum, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): instead, set *sum to 0.
  cudaMemsetAsync(sum, 0, sizeof(float));
  // END SOLUTION
  if (n > 0) sum_by_blocks_kernel<<<pieces(n, kLarge, kBlocks), kLarge>>>(in, sum, n);
}

// ---- Part 3: many sums ----------------------------------------------------------------------------------------------

// blockIdx.y is the number of a strip of 64 rows; the last one may have fewer. blockIdx.x is a piece of 256 columns.
__global__ void column_sums_kernel(const float* in, float* sums, int rows, int columns) {
  // BEGIN SOLUTION
  // TODO(student): which column has this thread, so that the lanes of a warp add to different ones? Add up the strip's
  // elements of it, then add that to the column's sum. (6 lines)
  const int column = blockIdx.x * kThreads + threadIdx.x;
  if (column >= columns) return;
  const int begin = blockIdx.y * kStrip, end = begin + kStrip < rows ? begin + kStrip : rows;
  float own = 0;
  for (int row = begin; row < end; ++row) own += in[row * columns + column];
  atomicAdd(&sums[column], own);
  // END SOLUTION
}

void column_sums(const float* in, float* sums, int rows, int columns) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): instead, set all sums to 0.
  cudaMemsetAsync(sums, 0, columns * sizeof(float));
  // END SOLUTION
  const dim3 grid(pieces(columns, kThreads), pieces(rows, kStrip));
  if (rows > 0) column_sums_kernel<<<grid, kThreads>>>(in, sums, rows, columns);
}

// ---- Part 4: the same bits every time -------------------------------------------------------------------------------

// In units of 2^-40, as integers: their sums are exact in any order. Negative ones count down from 2^64.
__global__ void add_fixed_kernel(const float* in, unsigned long long* total, int n) {
  // BEGIN SOLUTION
  // TODO(student): as in sum_by_blocks_kernel, but with integers. A float times 0x1p40f is exact; make it a long long,
  // and that an unsigned long long, for which there is an atomicAdd. (4 lines)
  unsigned long long own = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
    own += static_cast<unsigned long long>(static_cast<long long>(in[i] * 0x1p40f));
  add_of_block(own, total);
  // END SOLUTION
}

__global__ void to_float_kernel(const unsigned long long* total, float* sum) {
  // BEGIN SOLUTION
  // TODO(student): back to a float, by one thread. The total may be negative: make it a long long first. (1 line)
  *sum = static_cast<float>(static_cast<double>(static_cast<long long>(*total)) * 0x1p-40);
  // END SOLUTION
}

void sum_repeatable(const float* in, float* sum, unsigned long long* scratch, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): instead, set scratch[0] to 0: it is the total.
  cudaMemsetAsync(scratch, 0, sizeof(unsigned long long));
  // END SOLUTION
  if (n > 0) add_fixed_kernel<<<pieces(n, kThreads, kBlocks), kThreads>>>(in, scratch, n);
  to_float_kernel<<<1, 1>>>(scratch, sum);
}

// ---- Part 5: an atomic of your own ----------------------------------------------------------------------------------

// Takes `wanted` seats if they fit. Returns the first of them, or -1.
__device__ int take_seats(int* booked, int wanted, int seats) {
  // BEGIN SOLUTION
  // TODO(student): guess that `expected` seats are booked, 0 at first. While yours fit, let atomicCAS(booked, expected,
  // expected + wanted) take them: it returns what was there, your first seat or else your next guess. (6 lines)
  int expected = 0;
  while (expected + wanted <= seats) {
    const int seen = atomicCAS(booked, expected, expected + wanted);
    if (seen == expected) return expected;
    expected = seen;
  }
  // END SOLUTION
  return -1;
}

__global__ void book_kernel(const int* flights, const int* wanted, int* booked, int* first, int n, int seats) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) first[i] = take_seats(&booked[flights[i]], wanted[i], seats);
}

void book(const int* flights, const int* wanted, int* booked, int* first, int n, int count, int seats) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): instead, set all of `booked` to 0.
  cudaMemsetAsync(booked, 0, count * sizeof(int));
  // END SOLUTION
  if (n > 0) book_kernel<<<pieces(n, kThreads), kThreads>>>(flights, wanted, booked, first, n, seats);
}
