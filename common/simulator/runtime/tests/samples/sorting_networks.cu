// Sorting networks: bitonic in shared memory and across blocks, odd-even merge, and odd-even transposition.
#include <algorithm>

#include "sample.h"

namespace {

__device__ void exchange(unsigned& a, unsigned& b, bool up) {
  if ((a > b) == up) {
    const unsigned t = a;
    a = b;
    b = t;
  }
}

constexpr int kShared = 256;

/// Every block sorts its own part, ascending and descending alternately.
__global__ void bitonic_in_shared(unsigned* values) {
  __shared__ unsigned shared[kShared];
  const int t = threadIdx.x, from = blockIdx.x * kShared;
  shared[t] = values[from + t], shared[t + kShared / 2] = values[from + t + kShared / 2];
  for (int size = 2; size <= kShared; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int place = 2 * t - (t & (stride - 1));
      exchange(shared[place], shared[place + stride], ((from + place) & size) == 0);
    }
  }
  __syncthreads();
  values[from + t] = shared[t], values[from + t + kShared / 2] = shared[t + kShared / 2];
}

__global__ void bitonic_step(unsigned* values, int size, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, place = 2 * t - (t & (stride - 1));
  exchange(values[place], values[place + stride], (place & size) == 0);
}

/// Batcher's odd-even merge sort in one block.
__global__ void odd_even(unsigned* values, int count) {
  for (int p = 1; p < count; p *= 2) {
    for (int k = p; k >= 1; k /= 2) {
      for (int i = threadIdx.x; i + k < count; i += blockDim.x) {
        const bool first = i >= k % p && (i - k % p) / k % 2 == 0;
        if (first && i / (2 * p) == (i + k) / (2 * p)) exchange(values[i], values[i + k], true);
      }
      __syncthreads();
    }
  }
}

/// A warp sorts its lanes with shuffles.
__global__ void in_warp(unsigned* values) {
  const unsigned lane = threadIdx.x % 32;
  unsigned own = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned size = 2; size <= 32; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = __shfl_xor_sync(0xffffffff, own, stride);
      const bool low = (lane & stride) == 0, up = (lane & size) == 0;
      own = low == up ? min(own, other) : max(own, other);
    }
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = own;
}

}  // namespace

int main() {
  sample::Numbers numbers(6);
  constexpr int kCount = 4096;
  std::vector<unsigned> host(kCount);
  for (unsigned& value : host) value = numbers.next();
  std::vector<unsigned> sorted = host, warps(host.begin(), host.begin() + 256), few(host.begin(), host.begin() + 512);
  std::sort(sorted.begin(), sorted.end());
  std::sort(few.begin(), few.end());
  for (int i = 0; i < 256; i += 32) std::sort(warps.begin() + i, warps.begin() + i + 32);

  sample::Device<unsigned> values(host);
  bitonic_in_shared<<<kCount / kShared, kShared / 2>>>(values);
  for (int size = 2 * kShared; size <= kCount; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) bitonic_step<<<kCount / 512, 256>>>(values, size, stride);
  FINISH();
  sample::compare("bitonic", values.get(), sorted);
  values.put(host);
  odd_even<<<1, 128>>>(values, 512);
  FINISH();
  std::vector<unsigned> got = values.get();
  got.resize(512);
  sample::compare("odd-even", got, few);
  values.put(host);
  in_warp<<<2, 128>>>(values);
  FINISH();
  got = values.get();
  got.resize(256);
  sample::compare("warps", got, warps);
  return sample::passed();
}
