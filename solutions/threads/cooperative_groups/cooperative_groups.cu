// Lab cooperative_groups: threads that work together, as a tile of a warp, as a block, as a grid.
// This is the only file you edit. What each function must do is in cooperative_groups.h, what to do first in README.md.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "cooperative_groups.h"  // Includes CUDA's cooperative groups, too.

namespace cg = cooperative_groups;

constexpr int kThreads = 256;  // Threads of a block, in all kernels.

// ---- Part 1: tiles --------------------------------------------------------------------------------------------------

int predict_shuffles(int size) {
  // BEGIN SOLUTION
  // TODO(student): after how many halvings is one value left of `size` values? (2 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  int shuffles = 0;
  while (size > 1) size /= 2, ++shuffles;
  return shuffles;
  // END SOLUTION
}

template <int Size>
__global__ void sum_tiles_kernel(const int* in, int* out, int count) {
  // BEGIN SOLUTION
  // TODO(student): make a tile of Size threads out of the block. Every thread takes part with its element, or with 0
  // if it has none: a tile waits for all its threads. Add up by tile.shfl_down() or cg::reduce(); the thread of rank 0
  // writes the sum. (5 to 7 lines)
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < count ? in[i] : 0;
  for (int step = Size / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  if (tile.thread_rank() == 0 && i < count) out[i / Size] = sum;
  // END SOLUTION
}

void sum_tiles(const int* in, int* out, int count, int size) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launches below are as they should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks == 0) return;
  if (size == 2) sum_tiles_kernel<2><<<blocks, kThreads>>>(in, out, count);
  if (size == 4) sum_tiles_kernel<4><<<blocks, kThreads>>>(in, out, count);
  if (size == 8) sum_tiles_kernel<8><<<blocks, kThreads>>>(in, out, count);
  if (size == 16) sum_tiles_kernel<16><<<blocks, kThreads>>>(in, out, count);
  if (size == 32) sum_tiles_kernel<32><<<blocks, kThreads>>>(in, out, count);
}

// ---- Part 2: barriers that go wrong ---------------------------------------------------------------------------------

Verdict judge(char piece) {
  // BEGIN SOLUTION
  // TODO(student): one verdict for each of the pieces 'A' to 'F' of the handout. Delete the next line.
  // SKELETON: warpbook::not_started();
  switch (piece) {
    case 'A':
    case 'B':
    case 'D':
      return Verdict::block_stuck;
    case 'E':
      return Verdict::grid_stuck;
    case 'F':
      return Verdict::reads_early;
    default:
      return Verdict::fine;
  }
  // END SOLUTION
}

// ---- Part 3: a grid that works together -----------------------------------------------------------------------------

int largest_grid(const void* kernel, int threads, int shared_bytes) {
  // BEGIN SOLUTION
  // TODO(student): ask how many blocks one multiprocessor holds (cudaOccupancyMaxActiveBlocksPerMultiprocessor) and how
  // many multiprocessors there are (cudaDeviceGetAttribute). (4 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  int blocks = 0, multiprocessors = 0;
  WB_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return blocks * multiprocessors;
  // END SOLUTION
}

// Adds up one value of every thread of the block. Thread 0 gets the sum; the others get something else.
__device__ long long sum_block(long long value) {
  __shared__ long long sums[kThreads / 32];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  value = cg::reduce(warp, value, cg::plus<long long>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = value;
  block.sync();
  value = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0;
  block.sync();  // The next call writes to sums again.
  return cg::reduce(warp, value, cg::plus<long long>());
}

__global__ void sum_grid_kernel(const int* in, long long* partial, long long* out, int count) {
  // BEGIN SOLUTION
  // TODO(student): each thread adds up every grid.num_threads()-th element; sum_block() adds up the block; its thread 0
  // writes partial[blockIdx.x]. When the whole grid has done that, block 0 adds up the partial sums. (11 lines)
  const cg::grid_group grid = cg::this_grid();
  long long sum = 0;
  for (long long i = grid.thread_rank(); i < count; i += grid.num_threads()) sum += in[i];
  sum = sum_block(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  grid.sync();
  if (blockIdx.x != 0) return;
  sum = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partial[b];
  sum = sum_block(sum);
  if (threadIdx.x == 0) *out = sum;
  // END SOLUTION
}

// Launches a kernel on a grid whose blocks can wait for each other: `wanted` blocks, or as many as there can be.
void launch_together(const void* kernel, int wanted, void** arguments) {
  const int blocks = std::max(1, std::min(wanted, largest_grid(kernel, kThreads, 0)));
  WB_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kThreads, arguments, 0, nullptr));
}

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  void* arguments[] = {&in, &partial, &out, &count};
  launch_together(reinterpret_cast<void*>(sum_grid_kernel), (count + kThreads - 1) / kThreads, arguments);
}

// ---- Part 4: many steps in one launch -------------------------------------------------------------------------------

__global__ void smooth_kernel(const int* in, int* out, int* scratch, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): a loop over the steps; in each, a loop over this thread's elements, as in part 3. Read from `in` in
  // the first step, then from what the step before wrote; write to `out` and `scratch` in turn, so that the last step
  // writes to `out`. Where must the grid wait? And after 0 steps? (11 to 14 lines)
  const cg::grid_group grid = cg::this_grid();
  const int first = grid.thread_rank(), stride = grid.num_threads();
  const int* from = in;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    for (int i = first; i < count; i += stride)
      to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
    if (step + 1 < steps) grid.sync();
    from = to;
  }
  if (steps == 0)
    for (int i = first; i < count; i += stride) out[i] = in[i];
  // END SOLUTION
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel as sum_grid() does. Delete the next line. (2 lines)
  // SKELETON: warpbook::not_started();
  void* arguments[] = {&in, &out, &scratch, &count, &steps};
  launch_together(reinterpret_cast<void*>(smooth_kernel), (count + kThreads - 1) / kThreads, arguments);
  // END SOLUTION
}
