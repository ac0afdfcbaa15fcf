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
  // BEGIN SOLUTION
  // TODO(student): how many faults does a block of 2 MiB take? Answer with one line in place of the next one.
  // SKELETON: warpbook::not_started();
  return mebibytes / 2 * 6;
  // END SOLUTION
}

int predict_kib_moved(int stride) {
  // BEGIN SOLUTION
  // TODO(student): how many pieces of 64 KiB in 8 MiB are touched? Answer with one line in place of the next one.
  // SKELETON: warpbook::not_started();
  return stride <= 64 ? 8192 : 8192 / stride * 64;
  // END SOLUTION
}

// ---- Part 2: first touch on the device ------------------------------------------------------------------------------

// Each warp fills a chunk of its own.
__global__ void fill_kernel(float* x, int count) {
  // BEGIN SOLUTION
  // TODO(student): which chunk is this warp's? Its lanes go through it side by side, 32 floats at a time, and stop at
  // the end of x. (5 lines)
  const int warp = blockIdx.x * kWarps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int begin = warp * kChunk;
  const int end = count - begin < kChunk ? count : begin + kChunk;
  for (int i = begin + lane; i < end; i += 32) x[i] = i % 1024;
  // END SOLUTION
}

void fill(float* x, int count) {
  // BEGIN SOLUTION
  // TODO(student): launch fill_kernel with a warp for each chunk, also for a last chunk that is not full, but never
  // with 0 blocks. No prefetch yet. Then delete the next line. (3 lines)
  // SKELETON: warpbook::not_started();
  const int chunks = (count + kChunk - 1) / kChunk;
  const int blocks = (chunks + kWarps - 1) / kWarps;
  if (blocks > 0) fill_kernel<<<blocks, kThreads>>>(x, count);
  // END SOLUTION
}

// ---- Part 3: prefetch -----------------------------------------------------------------------------------------------

__global__ void add_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) y[i] += x[i];
}

void add(const float* x, float* y, int count) {
  if (count == 0) return;
  // BEGIN SOLUTION
  // TODO(student): how many bytes has each array? Prefetch to kDevice what the kernel needs. Check each call with
  // WB_CHECK. (3 lines)
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, nullptr));
  // END SOLUTION
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  // BEGIN SOLUTION
  // TODO(student): prefetch to kHost what the host reads next. Then delete the next line. (1 line)
  // SKELETON: warpbook::not_started();
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kHost, 0, nullptr));
  // END SOLUTION
}

// ---- Part 4: advice -------------------------------------------------------------------------------------------------

__global__ void gather_kernel(const float* table, const int* index, float* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = table[index[i]];
}

void gather(const float* table, int table_count, const int* index, float* out, int count) {
  if (count == 0) return;
  // BEGIN SOLUTION
  // TODO(student): advise that the table stays on the host and that the device accesses it there. Then delete the next
  // line. (3 lines)
  // SKELETON: warpbook::not_started();
  const std::size_t bytes = table_count * sizeof(float);
  WB_CHECK(cudaMemAdvise(table, bytes, cudaMemAdviseSetPreferredLocation, kHost));
  WB_CHECK(cudaMemAdvise(table, bytes, cudaMemAdviseSetAccessedBy, kDevice));
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): launch fill_both_kernel and add_kernel. Who touches x and y first, and who needs what afterwards?
  // Prefetch accordingly. Then delete the next line. (6 lines)
  // SKELETON: warpbook::not_started();
  const std::size_t bytes = count * sizeof(float);
  WB_CHECK(cudaMemPrefetchAsync(x, bytes, kDevice, 0, nullptr));
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kDevice, 0, nullptr));
  fill_both_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  add_kernel<<<blocks_for(count), kThreads>>>(x, y, count);
  WB_CHECK(cudaMemPrefetchAsync(y, bytes, kHost, 0, nullptr));
  // END SOLUTION
}
