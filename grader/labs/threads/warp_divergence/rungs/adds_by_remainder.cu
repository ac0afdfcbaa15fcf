// The busy threads of a step are spread over all warps: with distance 16, each of 8 warps works for one lane.
#include <algorithm>

#include "in_order.cuh"
#include "warp_divergence.h"
#include "work.h"

static int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }  // Rounded up.

// ---- Predict --------------------------------------------------------------------------------------------------------

int predict_parted_warps(int n) { return n % 32 == 0 ? 0 : 1; }

int predict_busy_warps(Scheme scheme, int stride) {
  const int threads = kThreads / (2 * stride);
  if (scheme == Scheme::by_remainder)
    return std::min(threads, kThreads / 32);  // As many warps as there are, or one each.
  return (threads + 31) / 32;
}

int predict_turns(const int* turns) { return *std::max_element(turns, turns + 32); }

// ---- Part 1: a branch -----------------------------------------------------------------------------------------------

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int half = kThreads / 2;
  const bool odd = threadIdx.x >= half;  // The same for all lanes of a warp.
  const int i = blockIdx.x * kThreads + 2 * (threadIdx.x % half) + (odd ? 1 : 0);
  if (i < count) {
    if (odd)
      out[i] = mix_odd(in[i]);
    else
      out[i] = mix_even(in[i]);
  }
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

// ---- Part 2: a sum in steps -----------------------------------------------------------------------------------------

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    if (thread % (2 * stride) == 0) data[thread] += data[thread + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}

// ---- Part 3: a loop -------------------------------------------------------------------------------------------------

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int first = blockIdx.x * kThreads;  // The block's first job.
  const int own = first + threadIdx.x;
  const int job = first + job_in_order(own < count ? turns[own] : 0);
  if (job < count) {
    std::uint32_t x = seeds[job];
    const int all = turns[job];
    for (int turn = 0; turn < all; ++turn) x = one_turn(x);
    results[job] = x;
  }
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}
