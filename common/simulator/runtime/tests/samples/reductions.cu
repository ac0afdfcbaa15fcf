// Sums in six ways: interleaved, sequential, with shuffles, with atomics, by the last block, with cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <numeric>

#include "sample.h"

namespace cg = cooperative_groups;

namespace {

__global__ void interleaved(const int* in, int* out, int count) {
  extern __shared__ int shared[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (threadIdx.x % (2 * s) == 0) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, shared[0]);
}

__global__ void sequential(const int* in, int* out, int count) {
  extern __shared__ int shared[];
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    volatile int* const last = shared;
    int own = last[threadIdx.x] + last[threadIdx.x + 32];
    for (int s = 16; s > 0; s /= 2) own += __shfl_down_sync(0xffffffff, own, s);
    if (threadIdx.x == 0) atomicAdd(out, own);
  }
}

__global__ void by_warps(const int* in, int* out, int count) {
  __shared__ int sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = __reduce_add_sync(0xffffffff, i < count ? in[i] : 0);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    int own = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int s = 16; s > 0; s /= 2) own += __shfl_xor_sync(0xffffffff, own, s);
    if (threadIdx.x == 0) atomicAdd(out, own);
  }
}

__device__ unsigned blocks_done;

/// The block that finishes last adds up the partial sums of all.
__global__ void by_last_block(const int* in, int* parts, int* out, int count) {
  __shared__ bool last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = __reduce_add_sync(0xffffffff, i < count ? in[i] : 0);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += 32) total += __ldcg(&parts[k]);
  total = __reduce_add_sync(0xffffffff, total);
  if (threadIdx.x == 0) *out = total;
}

__global__ void by_groups(const int* in, int* out, int count) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int sum = 0;
  for (unsigned long long i = cg::this_grid().thread_rank(); i < count; i += cg::this_grid().num_threads())
    sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<int>());
  cg::invoke_one(tile, [&] { atomicAdd(out, sum); });
}

}  // namespace

int main() {
  sample::Numbers numbers(3);
  std::vector<int> host(30011);
  for (int& value : host) value = numbers.below(1000) - 300;
  const int count = static_cast<int>(host.size()), wanted = std::accumulate(host.begin(), host.end(), 0);
  sample::Device<int> in(host), out(5), parts(1000);
  interleaved<<<(count + 255) / 256, 256, 1024>>>(in, out, count);
  sequential<<<8, 256, 1024>>>(in, out + 1, count);
  by_warps<<<(count + 511) / 512, 512>>>(in, out + 2, count);
  by_last_block<<<(count + 31) / 32, 32>>>(in, parts, out + 3, count);
  by_groups<<<5, 192>>>(in, out + 4, count);
  FINISH();
  sample::compare("sums", out.get(), std::vector<int>(5, wanted));
  return sample::passed();
}
