// Given in lab mixed_precision: numbers of a thread, sums of a warp, and several small numbers loaded at once.
#pragma once

#include <cuda_bf16.h>

using Bfloat = __nv_bfloat16;
using Bfloat2 = __nv_bfloat162;
constexpr int kThreads = 256;  // Threads in a block.
constexpr int kBlocks = 264;   // Most blocks of dot: they all fit on the GPU.

// How many pieces n elements are.
inline int pieces(int n, int each) { return (n + each - 1) / each; }

// This thread's number in the grid.
inline __device__ int thread() { return blockIdx.x * kThreads + threadIdx.x; }

// The sum of the values of all 32 lanes. Lane 0 gets it, the others get something else.
template <class T>
__device__ T sum_of_warp(T value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// The sum of the values of all threads of the block. Thread 0 gets it. All threads of the block call it, once.
inline __device__ float sum_of_block(float value) {
  __shared__ float of_warps[kThreads / 32];
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < kThreads / 32 ? of_warps[threadIdx.x] : 0.0f;
  return threadIdx.x < 32 ? sum_of_warp(value) : 0.0f;
}

// Eight elements as four pairs, and up to eight of an array from `first` on. Those past the end are 0, and are not
// stored.
struct alignas(16) Eight {
  Bfloat2 pairs[4];
};
inline __device__ Eight load_eight(const Bfloat* in, int first, int n) {
  if (first + 8 <= n) return *reinterpret_cast<const Eight*>(in + first);
  const auto element = [&](int i) { return i < n ? in[i] : Bfloat(0.0f); };
  Eight some;
  for (int i = 0; i < 4; ++i) some.pairs[i] = {element(first + 2 * i), element(first + 2 * i + 1)};
  return some;
}
inline __device__ void store_eight(Bfloat* out, int first, int n, const Eight& eight) {
  if (first + 8 <= n) {
    *reinterpret_cast<Eight*>(out + first) = eight;
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (first + i < n) out[first + i] = i % 2 == 0 ? eight.pairs[i / 2].x : eight.pairs[i / 2].y;
  }
}

// Four samples as two pairs. Pair is short2 or ushort2.
template <class Pair>
struct alignas(8) TwoPairs {
  Pair low, high;
};
