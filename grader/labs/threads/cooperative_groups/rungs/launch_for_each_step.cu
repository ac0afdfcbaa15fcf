// A launch for each step: right, but each launch costs more than a barrier of the grid.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "cooperative_groups.h"
#include "cooperative_groups.h"  // Includes CUDA's cooperative groups, too.

namespace cg = cooperative_groups;

constexpr int kThreads = 256;  // Threads of a block, in all kernels.

// ---- Part 1: tiles --------------------------------------------------------------------------------------------------

int predict_shuffles(int size) {
  int shuffles = 0;
  while (size > 1) size /= 2, ++shuffles;
  return shuffles;
}

template <int Size>
__global__ void sum_tiles_kernel(const int* in, int* out, int count) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < count ? in[i] : 0;
  for (int step = Size / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  if (tile.thread_rank() == 0 && i < count) out[i / Size] = sum;
}

void sum_tiles(const int* in, int* out, int count, int size) {
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
}

// ---- Part 3: a grid that works together -----------------------------------------------------------------------------

int largest_grid(const void* kernel, int threads, int shared_bytes) {
  int blocks = 0, multiprocessors = 0;
  WB_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return blocks * multiprocessors;
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
}

// Launches a kernel on a grid whose blocks can wait for each other: `wanted` blocks, or as many as there can be.
void launch_together(const void* kernel, int wanted, void** arguments) {
  const int blocks = std::max(1, std::min(wanted, largest_grid(kernel, kThreads, 0)));
  WB_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kThreads, arguments, 0, nullptr));
}

void sum_grid(const int* in, long long* partial, long long* out, int count) {
  void* arguments[] = {&in, &partial, &out, &count};
  launch_together(reinterpret_cast<void*>(sum_grid_kernel), (count + kThreads - 1) / kThreads, arguments);
}

// ---- Part 4: many steps in one launch -------------------------------------------------------------------------------

__global__ void smooth_kernel(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = i == 0 || i == count - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
}

void smooth(const int* in, int* out, int* scratch, int count, int steps) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks == 0) return;
  if (steps == 0) WB_CHECK(cudaMemcpyAsync(out, in, count * sizeof(int), cudaMemcpyDeviceToDevice));
  const int* from = in;
  for (int step = 0; step < steps; ++step) {
    int* to = (steps - step) % 2 == 1 ? out : scratch;
    smooth_kernel<<<blocks, kThreads>>>(from, to, count);
    from = to;
  }
}
