// Passes of kBits bits in which each key goes from a register straight to its place in global memory.
#include "grader/labs/patterns/radix_sort/rungs/solution.cuh"

template <int kBits>
__device__ int bits_of(unsigned key, int shift) {
  return static_cast<int>(key >> shift & ((1u << kBits) - 1));
}

template <int kBits>
__global__ void count_bits(const unsigned* keys, int* counts, int shift, int n) {
  __shared__ int of_digits[1 << kBits];
  if (threadIdx.x < 1 << kBits) of_digits[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < kEach; ++k) {
    const int i = blockIdx.x * kPart + k * kThreads + threadIdx.x;
    if (i < n) atomicAdd(&of_digits[bits_of<kBits>(keys[i], shift)], 1);
  }
  __syncthreads();
  if (threadIdx.x < 1 << kBits) counts[threadIdx.x * gridDim.x + blockIdx.x] = of_digits[threadIdx.x];
}

template <int kBits>
__global__ void place_bits(const unsigned* from, unsigned* to, const int* counts, const int* totals, int shift, int n) {
  __shared__ int of_digits[kWarps][kDigits], of_warps[kWarps];
  const int warp = threadIdx.x / 32, own = threadIdx.x, first = blockIdx.x * kPart + warp * kEach * 32 + own % 32;
  const bool is_digit = own < 1 << kBits;
  unsigned keys[kEach];
  int digits[kEach], ranks[kEach];
  for (int k = 0; k < kEach; ++k) keys[k] = first + 32 * k < n ? from[first + 32 * k] : 0xffffffff;
  for (int k = 0; k < kEach; ++k) digits[k] = bits_of<kBits>(keys[k], shift);
  for (int w = 0; w < kWarps; ++w) of_digits[w][own] = 0;
  __syncthreads();
  rank_in_warp(digits, ranks, of_digits[warp]);
  int all = 0;
  int before = sum_before(is_digit ? totals[own] : 0, of_warps, all);
  if (is_digit) before += counts[own * gridDim.x + blockIdx.x];
  for (int w = 0; w < kWarps; ++w) {
    const int of_warp = of_digits[w][own];
    of_digits[w][own] = before;
    before += of_warp;
  }
  __syncthreads();
  for (int k = 0; k < kEach; ++k)
    if (first + 32 * k < n) to[of_digits[warp][digits[k]] + ranks[k]] = keys[k];
}

template <int kBits>
void sort_directly(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  int *totals = reinterpret_cast<int*>(scratch + 2 * n), *counts = totals + kDigits;
  for (int shift = 0; shift < 32 && n > 0; shift += kBits) {
    unsigned* to = shift / kBits % 2 == 0 ? scratch : out;
    count_bits<kBits><<<parts, kThreads>>>(in, counts, shift, n);
    scan_counts_kernel<<<1 << kBits, kThreads>>>(counts, totals, parts);
    place_bits<kBits><<<parts, kThreads>>>(in, to, counts, totals, shift, n);
    in = to;
  }
}
