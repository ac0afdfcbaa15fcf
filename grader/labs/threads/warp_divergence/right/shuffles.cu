// Two elements for each thread, sums by shuffles, and jobs that are sorted in the same way as in the solution.
#include <algorithm>

#include "in_order.cuh"
#include "warp_divergence.h"
#include "work.h"

namespace {

__global__ void mix_pairs(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = 2 * (blockIdx.x * kThreads + threadIdx.x);
  if (i + 1 < count) {
    const uint2 pair = *reinterpret_cast<const uint2*>(in + i);
    *reinterpret_cast<uint2*>(out + i) = make_uint2(mix_even(pair.x), mix_odd(pair.y));
  } else if (i < count) {
    out[i] = mix_even(in[i]);
  }
}

__device__ int sum_of_warp(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void sum(const int* in, int* sums, int count) {
  __shared__ int of_warps[kThreads / 32];
  const int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = sum_of_warp(i < count ? in[i] : 0);
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();
  if (warp > 0) return;
  value = sum_of_warp(lane < kThreads / 32 ? of_warps[lane] : 0);
  if (lane == 0) sums[blockIdx.x] = value;
}

__global__ void jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int own = blockIdx.x * kThreads + threadIdx.x;
  const int length = own < count ? turns[own] : 0;
  __shared__ int lengths[kThreads];
  lengths[threadIdx.x] = length;
  const int job = job_in_order(length), at = blockIdx.x * kThreads + job;
  if (at >= count) return;
  std::uint32_t x = seeds[at];
  for (int left = lengths[job]; left != 0; --left) x = one_turn(x);
  results[at] = x;
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
  if (count > 0) mix_pairs<<<blocks_for((count + 1) / 2), kThreads>>>(in, out, count);
}

void sum_groups(const int* in, int* sums, int count) {
  if (count > 0) sum<<<blocks_for(count), kThreads>>>(in, sums, count);
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) jobs<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}
