// An answer written without sight of the others: recursion on the host, shifts, masks.
#include <algorithm>

#include "reduction.h"

constexpr int kThreads = 256;          // Threads in a block, in all parts.
constexpr int kWarps = kThreads / 32;  // Warps in a block.
constexpr int kGroup = 2 * kThreads;   // Part 2: elements that a block sums.
constexpr int kMostBlocks = 1056;      // Part 3: 8 blocks for each of the 132 multiprocessors fill an H200.
static_assert(kWarps <= 32);           // So that one warp can sum the sums of all warps.

int predict_launches(int n) { return n <= 1 ? 0 : 1 + predict_launches((n + 1) / 2); }

__global__ void add_halves(int* data, int n) {
  const int upper = (n >> 1) + (n & 1);
  for (int k = blockIdx.x * 256 + threadIdx.x; k < n - upper; k += gridDim.x * 256) data[k] += data[upper + k];
}

void sum_in_place(int* data, int n) {
  if (n <= 1) return;
  add_halves<<<(n + 511) / 512, 256>>>(data, n);
  sum_in_place(data, (n + 1) >> 1);
}

int predict_busy_warps(Order order, int distance) {
  const int threads = distance;
  switch (order) {
    case Order::sequential:
      return (threads + 31) / 32;
    default:
      return distance <= 16 ? 8 : 256 / (distance << 1);
  }
}

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  __shared__ int partial[256];
  const int me = threadIdx.x;
  const int* mine = in + blockIdx.x * 512;
  const int left = n - blockIdx.x * 512;
  partial[me] = me < left ? mine[me] : 0;
  if (me + 256 < left) partial[me] += mine[me + 256];
  for (int half = 128; half != 0; half >>= 1) {
    __syncthreads();
    if (me >= half) continue;
    partial[me] += partial[me + half];
  }
  __syncthreads();
  if (!me) sums[blockIdx.x] = *partial;
}

void sum_groups(const int* in, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<groups, kThreads>>>(in, sums, n);
}

double least_time_us(int n, double gb_per_s) { return sizeof(float) * double(n) / gb_per_s / 1e3; }

__device__ float sum_of_warp(float value) {
#pragma unroll
  for (int up = 16; up; up >>= 1) value += __shfl_down_sync(~0u, value, up);
  return value;
}

__device__ float sum_of_block(float value) {
  __shared__ float box[32];
  if (threadIdx.x < 32) box[threadIdx.x] = 0;
  __syncthreads();
  const float mine = sum_of_warp(value);
  if ((threadIdx.x & 31) == 0) box[threadIdx.x >> 5] = mine;
  __syncthreads();
  return threadIdx.x < 32 ? sum_of_warp(box[threadIdx.x]) : mine;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  float acc = 0;
  const int id = threadIdx.x + 256 * blockIdx.x;
  const int full = n & ~3;
  for (int at = 4 * id; at < full; at += 4 * 256 * gridDim.x) {
    const float4 v = *reinterpret_cast<const float4*>(in + at);
    acc += v.x;
    acc += v.y;
    acc += v.z;
    acc += v.w;
  }
  if (full + id < n) acc += in[full + id];
  acc = sum_of_block(acc);
  if (threadIdx.x == 0) atomicAdd(out, acc);
}

void sum(const float* in, float* out, float* scratch, int n) {
  cudaMemsetAsync(out, 0, sizeof *out);
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
