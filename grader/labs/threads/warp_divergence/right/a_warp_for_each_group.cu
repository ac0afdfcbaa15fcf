// Even and odd elements to different warps of a loop over the grid; a warp for each group, which meets no barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "in_order.cuh"
#include "warp_divergence.h"
#include "work.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kWarps = kThreads / 32;

/// Warp 2 k does the even elements of 64 neighbours, warp 2 k + 1 the odd ones.
__global__ void mix_by_warps(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int thread = blockIdx.x * kThreads + threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int step = gridDim.x * kThreads, odd = warp % 2;
  for (int i = warp / 2 * 64 + 2 * lane + odd; i < count; i += step) out[i] = odd ? mix_odd(in[i]) : mix_even(in[i]);
}

__global__ void sum(const int* in, int* sums, int count) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int group = blockIdx.x * kWarps + warp.meta_group_rank();
  int value = 0;
  const int end = min(count, (group + 1) * 256);
  for (int i = group * 256 + warp.thread_rank(); i < end; i += 32) value += in[i];
  value = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0 && group * 256 < count) sums[group] = value;
}

__global__ void jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int first = blockIdx.x * kThreads, own = first + threadIdx.x;
  const int job = first + job_in_order(own < count ? turns[own] : 0);
  if (job < count) {
    std::uint32_t x = seeds[job];
#pragma unroll 4
    for (int turn = turns[job]; turn > 0; --turn) x = one_turn(x);
    results[job] = x;
  }
}

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

}  // namespace

int predict_parted_warps(int n) { return n % 32 != 0; }

int predict_busy_warps(Scheme scheme, int stride) {
  const int threads = 128 / stride;
  return scheme == Scheme::packed ? std::max(threads / 32, 1) : std::min(threads, 8);
}

int predict_turns(const int* turns) {
  int most = 0;
  for (int lane = 0; lane < 32; ++lane) most = std::max(most, turns[lane]);
  return most;
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_by_warps<<<std::min(blocks_for(count), 1056), kThreads>>>(in, out, count);
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum<<<blocks_for(blocks_for(count) * 32), kThreads>>>(in, sums, count);
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) jobs<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}
