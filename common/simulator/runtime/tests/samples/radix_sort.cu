// A hand-written radix sort: four bits at a time, stable, with ballots in warps and a scan of counts.
#include <algorithm>

#include "sample.h"

namespace {

constexpr int kDigits = 16, kBlock = 128;

__device__ unsigned digit_of(unsigned key, int shift) { return key >> shift & (kDigits - 1); }

/// How many keys of each block have each digit: counts[digit * blocks + block].
__global__ void count(const unsigned* keys, unsigned* counts, int shift, int n) {
  __shared__ unsigned own[kDigits];
  if (threadIdx.x < kDigits) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) atomicAdd(&own[digit_of(keys[i], shift)], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

__global__ void scan(unsigned* counts, int n) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) before = 0;
  for (int from = 0; from < n; from += 32) {
    __syncwarp();
    const int i = from + threadIdx.x;
    const unsigned own = i < n ? counts[i] : 0;
    unsigned sum = own;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned left = __shfl_up_sync(0xffffffff, sum, d);
      if (threadIdx.x >= d) sum += left;
    }
    const unsigned start = before;
    if (i < n) counts[i] = start + sum - own;
    __syncwarp();
    if (threadIdx.x == 31) before = start + sum;
  }
}

__global__ void place(const unsigned* keys, unsigned* out, const unsigned* counts, int shift, int n) {
  __shared__ unsigned warps[kBlock / 32][kDigits];
  const int i = blockIdx.x * kBlock + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned key = i < n ? keys[i] : 0, digit = i < n ? digit_of(key, shift) : kDigits;
  unsigned rank = 0;
  for (unsigned d = 0; d < kDigits; ++d) {
    const unsigned same = __ballot_sync(0xffffffff, digit == d);
    if (digit == d) rank = __popc(same & ((1u << lane) - 1));
    if (lane == 0) warps[warp][d] = __popc(same);
  }
  __syncthreads();
  if (i >= n) return;
  for (int w = 0; w < warp; ++w) rank += warps[w][digit];
  out[counts[digit * gridDim.x + blockIdx.x] + rank] = key;
}

}  // namespace

int main() {
  sample::Numbers numbers(7);
  constexpr int kCount = 6001, kBlocks = (kCount + kBlock - 1) / kBlock;
  std::vector<unsigned> host(kCount);
  for (unsigned& value : host) value = numbers.next() << 8 | numbers.next() >> 16;
  sample::Device<unsigned> a(host), b(kCount), counts(kDigits * kBlocks);
  for (int shift = 0; shift < 32; shift += 8) {
    count<<<kBlocks, kBlock>>>(a, counts, shift, kCount);
    scan<<<1, 32>>>(counts, kDigits * kBlocks);
    place<<<kBlocks, kBlock>>>(a, b, counts, shift, kCount);
    count<<<kBlocks, kBlock>>>(b, counts, shift + 4, kCount);
    scan<<<1, 32>>>(counts, kDigits * kBlocks);
    place<<<kBlocks, kBlock>>>(b, a, counts, shift + 4, kCount);
  }
  FINISH();
  std::sort(host.begin(), host.end());
  sample::compare("sorted", a.get(), host);
  return sample::passed();
}
