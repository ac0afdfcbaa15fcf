// The sums of tiles by cooperative groups, two loads of 16 bytes under way at a time.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "reduction.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kBlock = 256;

template <int Threads>
__global__ void add_halves(int* data, int n) {
  const int half = n - n / 2;
  for (int i = blockIdx.x * Threads + threadIdx.x; i < n / 2; i += gridDim.x * Threads) data[i] += data[i + half];
}

__global__ void sum_group(const int* in, int* sums, int n) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ int of_warps[kBlock / 32];
  const int i = blockIdx.x * 512 + 2 * threadIdx.x;
  int value = 0;
  if (i + 1 < n) {
    const int2 pair = *reinterpret_cast<const int2*>(in + i);
    value = pair.x + pair.y;
  } else if (i < n) {
    value = in[i];
  }
  value = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() != 0) return;
  const auto eight = cg::tiled_partition<8>(warp);
  value = cg::reduce(eight, of_warps[eight.thread_rank()], cg::plus<int>());
  if (threadIdx.x == 0) sums[blockIdx.x] = value;
}

__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__global__ void sum_all(const float* in, float* out, int n) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  block.sync();
  const float4* quads = reinterpret_cast<const float4*>(in);
  const int threads = gridDim.x * kBlock, first = blockIdx.x * kBlock + threadIdx.x;
  float value = 0;
  int i = first;
  for (; i + threads < n / 4; i += 2 * threads) {
    const float4 u = quads[i], v = quads[i + threads];
    value += sum_of(u) + sum_of(v);
  }
  if (i < n / 4) value += sum_of(quads[i]);
  if (first < n % 4) value += in[n / 4 * 4 + first];
  value = cg::reduce(warp, value, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(&total, value);
  block.sync();
  if (threadIdx.x == 0) atomicAdd(out, total);
}

}  // namespace

int predict_launches(int n) {
  int launches = 0;
  while (launches < 31 && (1ll << launches) < n) ++launches;
  return launches;
}

int predict_busy_warps(Order order, int distance) {
  const int threads = order == Order::modulo ? kBlock / (2 * distance) : distance / 32;
  return threads > 8 ? 8 : threads < 1 ? 1 : threads;
}

double least_time_us(int n, double gb_per_s) { return n / gb_per_s * 4e-3; }

void sum_in_place(int* data, int n) {
  for (int left = n; left > 1; left -= left / 2)
    add_halves<kBlock><<<std::min(1056, left / 2 / kBlock + 1), kBlock>>>(data, left);
}

void sum_groups(const int* in, int* sums, int n) {
  if (n > 0) sum_group<<<(n + 511) / 512, kBlock>>>(in, sums, n);
}

void sum(const float* in, float* out, float*, int n) {
  cudaMemsetAsync(out, 0, sizeof *out);
  sum_all<<<std::clamp(n / 4 / kBlock, 1, 1056), kBlock>>>(in, out, n);
}
