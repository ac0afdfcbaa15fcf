// Lab reduction: one number from many, from a launch for each step to a single pass over the memory.
// This is the only file you edit. What each function must do is in reduction.h, what to do first in README.md.
#include <algorithm>

#include "reduction.h"

constexpr int kThreads = 256;          // Threads in a block, in all parts.
constexpr int kWarps = kThreads / 32;  // Warps in a block.
constexpr int kGroup = 2 * kThreads;   // Part 2: elements that a block sums.
constexpr int kMostBlocks = 1056;      // Part 3: 8 blocks for each of the 132 multiprocessors fill an H200.
static_assert(kWarps <= 32);           // So that one warp can sum the sums of all warps.

// ---- Part 1: in global memory ---------------------------------------------------------------------------------------

int predict_launches(int n) {
  // BEGIN SOLUTION
  // TODO(student): count the launches until one number is left. Replace the next line. (3 lines)
  // SKELETON: warpbook::not_started();
  int launches = 0;
  for (; n > 1; n = (n + 1) / 2) ++launches;
  return launches;
  // END SOLUTION
}

// Leaves the sum of data[0] to data[n - 1] spread over its first half.
__global__ void add_halves(int* data, int n) {
  // BEGIN SOLUTION
  // TODO(student): each thread adds one element of the second half to one of the first half, if there is such an
  // element. Neighbouring threads take neighbouring elements. (3 lines)
  const int half = (n + 1) / 2;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i + half < n) data[i] += data[i + half];
  // END SOLUTION
}

void sum_in_place(int* data, int n) {
  // BEGIN SOLUTION
  // TODO(student): launch add_halves until one number is left. Delete the next line. (1 to 4 lines)
  // SKELETON: warpbook::not_started();
  for (; n > 1; n = (n + 1) / 2) add_halves<<<(n / 2 + kThreads - 1) / kThreads, kThreads>>>(data, n);
  // END SOLUTION
}

// ---- Part 2: in shared memory ---------------------------------------------------------------------------------------

int predict_busy_warps(Order order, int distance) {
  // BEGIN SOLUTION
  // TODO(student): count on paper first: which threads add something, and in which warps are they? (1 to 4 lines)
  // SKELETON: warpbook::not_started();
  if (order == Order::sequential) return std::max(1, distance / 32);
  return std::min(kWarps, kThreads / (2 * distance));
  // END SOLUTION
}

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  // BEGIN SOLUTION
  // TODO(student): each thread loads two elements kThreads apart, if they exist, and puts their sum into shared memory.
  // Then the block adds halves as in part 1: distances kThreads / 2, ... 2, 1. All threads meet at a barrier after the
  // loads, and after each distance. At the end, thread 0 writes the sum of the group. (10 lines)
  __shared__ int data[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kGroup + t;
  data[t] = (i < n ? in[i] : 0) + (i + kThreads < n ? in[i + kThreads] : 0);
  __syncthreads();
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    if (t < distance) data[t] += data[t + distance];
    __syncthreads();  // Outside the if: every thread must reach it.
  }
  if (t == 0) sums[blockIdx.x] = data[0];
  // END SOLUTION
}

void sum_groups(const int* in, int* sums, int n) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<groups, kThreads>>>(in, sums, n);
}

// ---- Part 3: in one pass --------------------------------------------------------------------------------------------

double least_time_us(int n, double gb_per_s) {
  // BEGIN SOLUTION
  // TODO(student): bytes divided by bytes in a microsecond. Replace the next line. (1 line)
  // SKELETON: warpbook::not_started();
  return 4.0 * n / (gb_per_s * 1000);
  // END SOLUTION
}

// The sum of the values of a warp's 32 lanes, in lane 0. All lanes must call it.
__device__ float sum_of_warp(float value) {
  // BEGIN SOLUTION
  // TODO(student): in steps of 16, 8, 4, 2, 1, add the value of the lane that far up: __shfl_down_sync. (2 lines)
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  // END SOLUTION
  return value;
}

// The sum of the values of a block's threads, in thread 0. All threads must call it.
__device__ float sum_of_block(float value) {
  // BEGIN SOLUTION
  // TODO(student): lane 0 of each warp puts the warp's sum into shared memory; the first warp sums these. (6 lines)
  __shared__ float of_warps[kWarps];
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) value = sum_of_warp(threadIdx.x < kWarps ? of_warps[threadIdx.x] : 0.0f);
  // END SOLUTION
  return value;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  // BEGIN SOLUTION
  // TODO(student): each thread sums every (gridDim.x * kThreads)-th float4 of in; some threads take the up to three
  // floats left over. Then the block sums its threads' values, and thread 0 adds that to out. (9 lines)
  const float4* quads = reinterpret_cast<const float4*>(in);
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  float value = 0;
  for (int i = thread; i < n / 4; i += gridDim.x * kThreads) {
    const float4 quad = quads[i];
    value += (quad.x + quad.y) + (quad.z + quad.w);
  }
  if (thread < n % 4) value += in[n / 4 * 4 + thread];
  value = sum_of_block(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
  // END SOLUTION
}

void sum(const float* in, float* out, float* scratch, int n) {
  // BEGIN SOLUTION
  // TODO(student): out holds anything. Set it to 0 first: cudaMemsetAsync(address, 0, bytes). Then delete the next
  // line. (1 line) One launch does without scratch; it is there if you want to try two.
  // SKELETON: warpbook::not_started();
  cudaMemsetAsync(out, 0, sizeof(float));
  // END SOLUTION
  // A thread for each float4, but no more blocks than run at the same time, and at least one.
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
