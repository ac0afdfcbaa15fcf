// Lab unified_memory_prefetch: managed memory that is where it is needed, before it is needed.
// This is the only file you edit. What each function must do is in unified_memory_prefetch.h, what to do first in
// README.md.
#include "common/cuda/check.cuh"
#include "unified_memory_prefetch.h"

constexpr int kThreads = 256;                           // Threads in a block.
[[maybe_unused]] constexpr int kWarps = kThreads / 32;  // Warps in a block.
[[maybe_unused]] constexpr int kChunk = 64 * 1024 / 4;  // Floats in 64 KiB, the least that a page fault brings.
[[maybe_unused]] constexpr cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0};
[[maybe_unused]] constexpr cudaMemLocation kHost{cudaMemLocationTypeHost, 0};

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

// ---- Part 1: predict ------------------------------------------------------------------------------------------------

int predict_cpu_page_faults(int mebibytes) {
  // TODO(student): how many faults does a block of 2 MiB take? Answer with one line in place of the next one.
  warpbook::not_started();
}

int predict_kib_moved(int stride) {
  // TODO(student): how many pieces of 64 KiB in 8 MiB are touched? Answer with one line in place of the next one.
  warpbook::not_started();
}

// ---- Part 2: first touch on the device ------------------------------------------------------------------------------

// Each warp fills a chunk of its own.
__global__ void fill_kernel(float* x, int count) {
  // TODO(student): which chunk is this warp's? Its lanes go through it side by side, 32 floats at a time, and stop at
  // the end of x. (5 lines)
}

void fill(float* x, int count) {
  // TODO(student): launch fill_kernel with a warp for each chunk, also for a last chunk that is not full, but never
  // with 0 blocks. No prefetch yet. Then delete the next line. (3 lines)
  warpbook::not_started();
}

// ---- Part 3: prefetch -----------------------------------------------------------------------------------------------

__global__ void add_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  // TODO(student): how many bytes has each array? Prefetch to kDevice what the kernel needs. Check each call with
  // WB_CHECK. (3 lines)
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  // TODO(student): prefetch to kHost what the host reads next. Then delete the next line. (1 line)
  warpbook::not_started();
}

// ---- Part 4: advice -------------------------------------------------------------------------------------------------

__global__ void gather_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  // TODO(student): advise that the table stays on the host and that the device accesses it there. Then delete the next
  // line. (3 lines)
  warpbook::not_started();
  gather_kernel<<<blocks_for(count), kThreads>>>(table, index, out, count);
}

// ---- Part 5: all of it ----------------------------------------------------------------------------------------------

// One thread for each element: where the pages are there already, the order of threads does not matter.
__global__ void fill_both_kernel(float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  x[i] = i % 1024;
  y[i] = 1;
}

void fill_and_add(float* x, float* y, int count) {
  if (count == 0) return;
  // TODO(student): launch fill_both_kernel and add_kernel. Who touches x and y first, and who needs what afterwards?
  // Prefetch accordingly. Then delete the next line. (6 lines)
  warpbook::not_started();
}
