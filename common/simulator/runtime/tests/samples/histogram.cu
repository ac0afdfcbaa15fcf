// Histograms: of bytes with a counter array per warp in shared memory, and of a wide range with warp aggregation.
#include "sample.h"

namespace {

constexpr int kBins = 256, kWarps = 4;

__global__ void of_bytes(const uchar4* in, unsigned* out, int count) {
  __shared__ unsigned bins[kWarps][kBins];
  for (int i = threadIdx.x; i < kWarps * kBins; i += blockDim.x) bins[i / kBins][i % kBins] = 0;
  __syncthreads();
  unsigned* const own = bins[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uchar4 four = in[i];
    atomicAdd(&own[four.x], 1);
    atomicAdd(&own[four.y], 1);
    atomicAdd(&own[four.z], 1);
    atomicAdd(&own[four.w], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) {
    unsigned sum = 0;
    for (int warp = 0; warp < kWarps; ++warp) sum += bins[warp][i];
    atomicAdd(&out[i], sum);
  }
}

/// Lanes with the same bin count together: one adds for all.
__global__ void of_words(const unsigned* in, unsigned long long* out, int count, unsigned bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned active = __ballot_sync(0xffffffff, i < count);
  if (i >= count) return;
  const unsigned bin = in[i] % bins, same = __match_any_sync(active, bin);
  if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&out[bin], static_cast<unsigned long long>(__popc(same)));
}

}  // namespace

int main() {
  sample::Numbers numbers(5);
  std::vector<uchar4> bytes(5000);
  std::vector<unsigned> wanted(kBins);
  const auto draw = [&] {
    const int value = numbers.below(256) & numbers.below(256);
    ++wanted[value];
    return static_cast<unsigned char>(value);
  };
  for (uchar4& four : bytes) four.x = draw(), four.y = draw(), four.z = draw(), four.w = draw();
  sample::Device<uchar4> in(bytes);
  sample::Device<unsigned> out(kBins);
  of_bytes<<<6, 32 * kWarps>>>(in, out, 5000);
  FINISH();
  sample::compare("bytes", out.get(), wanted);
  std::vector<unsigned> words(10001);
  std::vector<unsigned long long> counts(1000);
  for (unsigned& word : words) ++counts[(word = numbers.next() & numbers.next()) % 1000];
  sample::Device<unsigned> word_in(words);
  sample::Device<unsigned long long> word_out(1000);
  of_words<<<40, 256>>>(word_in, word_out, 10001, 1000);
  FINISH();
  sample::compare("words", word_out.get(), counts);
  return sample::passed();
}
