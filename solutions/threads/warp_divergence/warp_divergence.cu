// Lab warp_divergence: branches and loops that all lanes of a warp take together.
// This is the only file you edit. What each function must do is in warp_divergence.h, what to do first in README.md.
#include <algorithm>

#include "in_order.cuh"
#include "warp_divergence.h"
#include "work.h"

static int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }  // Rounded up.

// ---- Predict --------------------------------------------------------------------------------------------------------

int predict_parted_warps(int n) {
  // BEGIN SOLUTION
  // TODO(student): which warp can hold both kinds of threads, and when does it? (1 line)
  // SKELETON: warpbook::not_started();
  return n % 32 == 0 ? 0 : 1;
  // END SOLUTION
}

int predict_busy_warps(Scheme scheme, int stride) {
  // BEGIN SOLUTION
  // TODO(student): 256 / (2 * stride) threads are busy. Over how many warps are they spread? (3 lines)
  // SKELETON: warpbook::not_started();
  const int threads = kThreads / (2 * stride);
  if (scheme == Scheme::by_remainder)
    return std::min(threads, kThreads / 32);  // As many warps as there are, or one each.
  return (threads + 31) / 32;
  // END SOLUTION
}

int predict_turns(const int* turns) {
  // BEGIN SOLUTION
  // TODO(student): when has the warp finished its loop? (1 to 3 lines)
  // SKELETON: warpbook::not_started();
  return *std::max_element(turns, turns + 32);
  // END SOLUTION
}

// ---- Part 1: a branch -----------------------------------------------------------------------------------------------

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  // BEGIN SOLUTION
  // TODO(student): first the plain way: thread i does element i, by mix_even() or mix_odd(). (3 lines) Then assign
  // the block's 256 elements anew: the first half of its threads does the even ones, the second half the odd ones.
  const int half = kThreads / 2;
  const bool odd = threadIdx.x >= half;  // The same for all lanes of a warp.
  const int i = blockIdx.x * kThreads + 2 * (threadIdx.x % half) + (odd ? 1 : 0);
  if (i < count) {
    if (odd)
      out[i] = mix_odd(in[i]);
    else
      out[i] = mix_even(in[i]);
  }
  // END SOLUTION
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

// ---- Part 2: a sum in steps -----------------------------------------------------------------------------------------

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  // BEGIN SOLUTION
  // TODO(student): declare `__shared__ int data[kThreads]` and put one element into it for each thread, 0 where there
  // is none; wait. In each of 8 steps, add pairs of elements, and wait again: a loop with blockDim.x as its bound.
  // At the end, data[0] is the group's sum: one thread stores it. (10 lines)
  __shared__ int data[kThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kThreads + thread;
  data[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (thread < stride) data[thread] += data[thread + stride];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = data[0];
  // END SOLUTION
}

void sum_groups(const int* in, int* sums, int count) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}

// ---- Part 3: a loop -------------------------------------------------------------------------------------------------

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  // BEGIN SOLUTION
  // TODO(student): first the plain way: thread i does job i. (4 lines) Then let job_in_order() (in_order.cuh) say which
  // of the block's jobs this thread does. (3 more)
  const int first = blockIdx.x * kThreads;  // The block's first job.
  const int own = first + threadIdx.x;
  const int job = first + job_in_order(own < count ? turns[own] : 0);
  if (job < count) {
    std::uint32_t x = seeds[job];
    const int all = turns[job];
    for (int turn = 0; turn < all; ++turn) x = one_turn(x);
    results[job] = x;
  }
  // END SOLUTION
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}
