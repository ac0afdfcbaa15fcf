// Prefix sums: Blelloch's tree with padded shared memory, Kogge-Stone with shuffles, and over several blocks.
#include <numeric>

#include "sample.h"

namespace {

constexpr int kBlock = 512;

__host__ __device__ constexpr int padded(int i) { return i + i / 32; }

/// Exclusive, two values per thread; the block's sum goes to @p sums.
__global__ void tree(const int* in, int* out, int* sums, int count) {
  __shared__ int shared[padded(kBlock)];
  const int t = threadIdx.x, from = blockIdx.x * kBlock;
  for (int i = t; i < kBlock; i += kBlock / 2) shared[padded(i)] = from + i < count ? in[from + i] : 0;
  int offset = 1;
  for (int d = kBlock / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) shared[padded(offset * (2 * t + 2) - 1)] += shared[padded(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) {
    sums[blockIdx.x] = shared[padded(kBlock - 1)];
    shared[padded(kBlock - 1)] = 0;
  }
  for (int d = 1; d < kBlock; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int a = padded(offset * (2 * t + 1) - 1), b = padded(offset * (2 * t + 2) - 1), left = shared[a];
      shared[a] = shared[b];
      shared[b] += left;
    }
  }
  __syncthreads();
  for (int i = t; i < kBlock; i += kBlock / 2)
    if (from + i < count) out[from + i] = shared[padded(i)];
}

__global__ void add_before(int* out, const int* sums, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) out[i] += sums[blockIdx.x];
}

/// Inclusive, in one block of 1024 threads.
__global__ void by_shuffles(const int* in, int* out) {
  __shared__ int warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto scan = [lane](int value) {
    for (unsigned d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, value, d);
      if (lane >= d) value += left;
    }
    return value;
  };
  const int own = scan(in[threadIdx.x]);
  if (lane == 31) warps[warp] = own;
  __syncthreads();
  if (warp == 0) warps[lane] = scan(warps[lane]);
  __syncthreads();
  out[threadIdx.x] = own + (warp == 0 ? 0 : warps[warp - 1]);
}

}  // namespace

int main() {
  sample::Numbers numbers(4);
  std::vector<int> host(20000), wanted(20000), first(1024);
  for (int& value : host) value = numbers.below(100);
  std::exclusive_scan(host.begin(), host.end(), wanted.begin(), 0);
  std::inclusive_scan(host.begin(), host.begin() + 1024, first.begin());
  const int count = 20000, blocks = (count + kBlock - 1) / kBlock;
  sample::Device<int> in(host), out(count), sums(kBlock), before(kBlock), none(1);
  tree<<<blocks, kBlock / 2>>>(in, out, sums, count);
  tree<<<1, kBlock / 2>>>(sums, before, none, blocks);
  add_before<<<blocks, kBlock>>>(out, before, count);
  FINISH();
  sample::compare("tree", out.get(), wanted);
  by_shuffles<<<1, 1024>>>(in, out);
  FINISH();
  std::vector<int> got = out.get();
  got.resize(1024);
  sample::compare("shuffles", got, first);
  return sample::passed();
}
