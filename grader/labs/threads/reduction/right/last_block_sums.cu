// Eighths instead of halves; shuffles in groups; sums of blocks in scratch memory, which the last block adds up.
#include "reduction.h"

namespace {

constexpr int kBlock = 256;

/// What is left are the sums of eight elements that lie `left` apart.
__global__ void add_eighths(int* data, int n, int left) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= left) return;
  int value = data[i];
  for (int k = i + left; k < n; k += left) value += data[k];
  data[i] = value;
}

__global__ void sum_group(const int* in, int* sums, int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int i = blockIdx.x * 512 + threadIdx.x;
  const int value = (i < n ? in[i] : 0) + (i + kBlock < n ? in[i + kBlock] : 0);
  const int of_warp = __reduce_add_sync(0xffffffffu, value);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, of_warp);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/// For all threads of the block, in thread 0.
__device__ float sum_of_block(float value) {
  __shared__ float of_warps[32];
  const auto over_warp = [&] {
    for (int distance = 1; distance < 32; distance *= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  };
  over_warp();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : 0;
  if (threadIdx.x < 32) over_warp();
  return value;
}

/// The block that comes last starts anew with the count, so that the next launch finds it at 0.
__global__ void sum_all(const float* in, float* out, float* scratch, unsigned* arrived, int n) {
  float value = 0;
  const float4* quads = reinterpret_cast<const float4*>(in);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 quad = quads[i];
    value += quad.x + quad.y + quad.z + quad.w;
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) value += in[n - 1 - threadIdx.x];
  value = sum_of_block(value);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    scratch[blockIdx.x] = value;
    __threadfence();
    last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  value = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) value += __ldcg(&scratch[i]);
  __syncthreads();
  value = sum_of_block(value);
  if (threadIdx.x == 0) *out = value;
}

__device__ unsigned blocks_arrived;

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
  while (n > 1) {
    const int left = (n + 7) / 8;
    add_eighths<<<(left + kBlock - 1) / kBlock, kBlock>>>(data, n, left);
    n = left;
  }
}

void sum_groups(const int* in, int* sums, int n) {
  if (n > 0) sum_group<<<(n - 1) / 512 + 1, kBlock>>>(in, sums, n);
}

void sum(const float* in, float* out, float* scratch, int n) {
  unsigned* arrived = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&arrived), blocks_arrived);
  const int wanted = n / 2048 + 1, blocks = wanted < 528 ? wanted : 528;
  sum_all<<<blocks, 512>>>(in, out, scratch, arrived, n);
}
