// Lab bytes_in_flight: enough bytes on their way, by more threads, more loads in each, or wider ones.
// This is the only file you edit. What each function must do is in bytes_in_flight.h, what to do first in README.md.
#include <cmath>

#include "bytes_in_flight.h"
#include "common/cuda/check.cuh"

constexpr int kThreads = 256;  // Threads in a block.

// ---- Part 1: Little's law -------------------------------------------------------------------------------------------

int predict_bytes_in_flight(int warps, int loads, int bytes) {
  // TODO(student): a warp has 32 lanes. Answer with one line in place of the next one.
  warpbook::not_started();
}

int predict_bytes_needed(double gb_per_s, double latency_ns, int multiprocessors) {
  // TODO(student): 1 GB/s is 1 byte in a nanosecond. How many arrive while one is on its way? (1 line)
  warpbook::not_started();
}

int predict_loads_needed(int warps, int bytes, int needed) {
  // TODO(student): how many bytes is one load of every thread? (2 lines)
  warpbook::not_started();
}

// ---- Part 2: many threads -------------------------------------------------------------------------------------------

__global__ void scale_by_threads_kernel(const float* in, float* out, int n, float factor) {
  // TODO(student): a grid-stride loop: begin at the thread's number, advance by the number of threads. (3 lines)
}

void scale_by_threads(const float* in, float* out, int n, float factor) {
  // TODO(student): ask cudaDeviceGetAttribute for cudaDevAttrMultiProcessorCount of device 0, and launch 8 blocks for
  // each. Then delete the next line. (4 lines)
  warpbook::not_started();
}

// ---- Part 3: many loads in each thread ------------------------------------------------------------------------------

constexpr int kLoads = 1;  // TODO(student): how many loads of 4 bytes must 8 warps have under way?

__global__ void scale_by_loads_kernel(const float* in, float* out, int n, float factor) {
  // TODO(student): the same loop, but each turn takes kLoads elements, `threads` apart: first load all of them into an
  // array of floats, then store all of them. No element at or beyond n. (10 lines)
}

void scale_by_loads(const float* in, float* out, int n, float factor, int blocks) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (n > 0) scale_by_loads_kernel<<<blocks, kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: wide loads ---------------------------------------------------------------------------------------------

constexpr int kWideLoads = 1;  // TODO(student): how many loads of 16 bytes?

__global__ void scale_kernel(const float* in, float* out, int n, float factor) {
  // TODO(student): as part 3, with float4 and kWideLoads. Up to three floats are left at the end of the arrays: the
  // first threads of the grid take one each. (15 lines)
}

void scale(const float* in, float* out, int n, float factor, int blocks) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  if (n > 0) scale_kernel<<<blocks, kThreads>>>(in, out, n, factor);
  WB_CHECK(cudaGetLastError());
}
