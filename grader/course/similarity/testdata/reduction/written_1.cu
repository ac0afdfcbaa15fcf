// An answer written without sight of the others: spelled out, one thing a line.
#include <algorithm>

#include "reduction.h"

constexpr int kThreads = 256;          // Threads in a block, in all parts.
constexpr int kWarps = kThreads / 32;  // Warps in a block.
constexpr int kGroup = 2 * kThreads;   // Part 2: elements that a block sums.
constexpr int kMostBlocks = 1056;      // Part 3: 8 blocks for each of the 132 multiprocessors fill an H200.
static_assert(kWarps <= 32);           // So that one warp can sum the sums of all warps.

int predict_launches(int n) {
  int count = 0;
  while (n > 1) {
    n = (n + 1) / 2;
    count++;
  }
  return count;
}

__global__ void add_halves(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = (n + 1) / 2;
  if (i + half < n) {
    data[i] = data[i] + data[i + half];
  }
}

void sum_in_place(int* data, int n) {
  while (n > 1) {
    int threads_needed = n / 2;
    int blocks = (threads_needed + 255) / 256;
    add_halves<<<blocks, 256>>>(data, n);
    n = (n + 1) / 2;
  }
}

int predict_busy_warps(Order order, int distance) {
  if (order == Order::sequential) {
    if (distance < 32) return 1;
    return distance / 32;
  }
  if (distance < 16) return 8;
  return 128 / distance;
}

__global__ void sum_groups_kernel(const int* in, int* sums, int n) {
  __shared__ int s[256];
  int first = blockIdx.x * 512 + threadIdx.x;
  int second = first + 256;
  int total = 0;
  if (first < n) total += in[first];
  if (second < n) total += in[second];
  s[threadIdx.x] = total;
  __syncthreads();
  for (int d = 128; d >= 1; d = d / 2) {
    if (threadIdx.x < d) {
      s[threadIdx.x] += s[threadIdx.x + d];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = s[0];
  }
}

void sum_groups(const int* in, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) sum_groups_kernel<<<groups, kThreads>>>(in, sums, n);
}

double least_time_us(int n, double gb_per_s) {
  double bytes = 4.0 * n;
  double bytes_per_us = gb_per_s * 1000.0;
  return bytes / bytes_per_us;
}

__device__ float sum_of_warp(float value) {
  value += __shfl_down_sync(0xffffffff, value, 16);
  value += __shfl_down_sync(0xffffffff, value, 8);
  value += __shfl_down_sync(0xffffffff, value, 4);
  value += __shfl_down_sync(0xffffffff, value, 2);
  value += __shfl_down_sync(0xffffffff, value, 1);
  return value;
}

__device__ float sum_of_block(float value) {
  __shared__ float warps[8];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  value = sum_of_warp(value);
  if (lane == 0) {
    warps[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    value = 0.0f;
    if (lane < 8) value = warps[lane];
    value = sum_of_warp(value);
  }
  return value;
}

__global__ void sum_kernel(const float* in, float* out, int n) {
  const float4* in4 = reinterpret_cast<const float4*>(in);
  int n4 = n / 4;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  float value = 0.0f;
  for (int i = thread; i < n4; i += step) {
    float4 f = in4[i];
    value += f.x + f.y + f.z + f.w;
  }
  int rest = 4 * n4 + thread;
  if (rest < n) {
    value += in[rest];
  }
  value = sum_of_block(value);
  if (threadIdx.x == 0) {
    atomicAdd(out, value);
  }
}

void sum(const float* in, float* out, float* scratch, int n) {
  cudaMemsetAsync(out, 0, 4);
  const int blocks = std::clamp((n / 4 + kThreads - 1) / kThreads, 1, kMostBlocks);
  sum_kernel<<<blocks, kThreads>>>(in, out, n);
}
