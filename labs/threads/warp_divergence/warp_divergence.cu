// Lab warp_divergence: branches and loops that all lanes of a warp take together.
// This is the only file you edit. What each function must do is in warp_divergence.h, what to do first in README.md.
#include <algorithm>

#include "in_order.cuh"
#include "warp_divergence.h"
#include "work.h"

static int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }  // Rounded up.

// ---- Predict --------------------------------------------------------------------------------------------------------

int predict_parted_warps(int n) {
  // TODO(student): which warp can hold both kinds of threads, and when does it? (1 line)
  warpbook::not_started();
}

int predict_busy_warps(Scheme scheme, int stride) {
  // TODO(student): 256 / (2 * stride) threads are busy. Over how many warps are they spread? (3 lines)
  warpbook::not_started();
}

int predict_turns(const int* turns) {
  // TODO(student): when has the warp finished its loop? (1 to 3 lines)
  warpbook::not_started();
}

// ---- Part 1: a branch -----------------------------------------------------------------------------------------------

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  // TODO(student): first the plain way: thread i does element i, by mix_even() or mix_odd(). (3 lines) Then assign
  // the block's 256 elements anew: the first half of its threads does the even ones, the second half the odd ones.
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

// ---- Part 2: a sum in steps -----------------------------------------------------------------------------------------

__global__ void sum_groups_kernel(const int* in, int* sums, int count) {
  // TODO(student): declare `__shared__ int data[kThreads]` and put one element into it for each thread, 0 where there
  // is none; wait. In each of 8 steps, add pairs of elements, and wait again: a loop with blockDim.x as its bound.
  // At the end, data[0] is the group's sum: one thread stores it. (10 lines)
}

void sum_groups(const int* in, int* sums, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) sum_groups_kernel<<<blocks_for(count), kThreads>>>(in, sums, count);
}

// ---- Part 3: a loop -------------------------------------------------------------------------------------------------

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  // TODO(student): first the plain way: thread i does job i. (4 lines) Then let job_in_order() (in_order.cuh) say which
  // of the block's jobs this thread does. (3 more)
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}
