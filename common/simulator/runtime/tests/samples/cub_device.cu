// CUB's device-wide algorithms: reduce, scan, radix sort, select, histogram, run lengths, segments.
#include <algorithm>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <numeric>

#include "sample.h"

namespace {

/// CUB's first call queries the size of its workspace, the second one runs.
template <class Call>
void with_workspace(Call call) {
  std::size_t bytes = 0;
  CUDA(call(nullptr, bytes));
  sample::Device<char> workspace(bytes == 0 ? 1 : bytes);
  CUDA(call(workspace.data(), bytes));
  CUDA(cudaDeviceSynchronize());
}

struct LessThan {
  int limit;
  __device__ bool operator()(int value) const { return value < limit; }
};

constexpr int kCount = 20011;

}  // namespace

int main() {
  sample::Numbers numbers(3);
  std::vector<int> host(kCount);
  for (int& value : host) value = numbers.below(100000) - 50000;
  sample::Device<int> input(host), output(kCount), one(4);

  with_workspace(
      [&](void* w, std::size_t& b) { return cub::DeviceReduce::Sum(w, b, input.data(), one.data(), kCount); });
  sample::compare("DeviceReduce::Sum", one.get()[0], std::accumulate(host.begin(), host.end(), 0));
  with_workspace(
      [&](void* w, std::size_t& b) { return cub::DeviceReduce::Max(w, b, input.data(), one.data(), kCount); });
  sample::compare("DeviceReduce::Max", one.get()[0], *std::max_element(host.begin(), host.end()));

  std::vector<int> wanted(kCount);
  std::partial_sum(host.begin(), host.end(), wanted.begin());
  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceScan::InclusiveSum(w, b, input.data(), output.data(), kCount);
  });
  sample::compare("DeviceScan::InclusiveSum", output.get(), wanted);

  std::vector<float> keys(kCount);
  for (float& key : keys) key = numbers.unit() - 0.5f;
  std::vector<int> order(kCount);
  std::iota(order.begin(), order.end(), 0);
  sample::Device<float> keys_in(keys), keys_out(kCount);
  sample::Device<int> values_in(order), values_out(kCount);
  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceRadixSort::SortPairs(w, b, keys_in.data(), keys_out.data(), values_in.data(), values_out.data(),
                                           kCount);
  });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  sample::compare("DeviceRadixSort::SortPairs", values_out.get(), order);
  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceRadixSort::SortKeysDescending(w, b, input.data(), output.data(), kCount);
  });
  std::vector<int> descending = host;
  std::sort(descending.rbegin(), descending.rend());
  sample::compare("DeviceRadixSort::SortKeysDescending", output.get(), descending);

  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceSelect::If(w, b, input.data(), output.data(), one.data(), kCount, LessThan{-40000});
  });
  std::vector<int> chosen = output.get(), few;
  chosen.resize(one.get()[0]);
  std::copy_if(host.begin(), host.end(), std::back_inserter(few), [](int value) { return value < -40000; });
  sample::compare("DeviceSelect::If", chosen, few);

  constexpr int kBins = 50;
  sample::Device<int> bins(kBins);
  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceHistogram::HistogramEven(w, b, input.data(), bins.data(), kBins + 1, -50000, 50000, kCount);
  });
  std::vector<int> counts(kBins);
  for (const int value : host) ++counts[(value + 50000) / 2000];
  sample::compare("DeviceHistogram::HistogramEven", bins.get(), counts);

  std::vector<int> runs(kCount);
  for (int i = 0, value = 0, left = 1; i < kCount; ++i, --left) {
    if (left == 0) value = (value + 1) % 7, left = 1 + numbers.below(40);
    runs[i] = value;
  }
  input.put(runs);
  sample::Device<int> lengths(kCount);
  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(w, b, input.data(), output.data(), lengths.data(), one.data(), kCount);
  });
  std::vector<int> got = lengths.get(), measured;
  got.resize(one.get()[0]);
  for (int i = 0; i < kCount; ++i) {
    if (i == 0 || runs[i] != runs[i - 1]) measured.push_back(0);
    ++measured.back();
  }
  sample::compare("DeviceRunLengthEncode::Encode", got, measured);

  const std::vector<int> offsets{0, 1, 1, 500, 9000, kCount};
  sample::Device<int> borders(offsets), sums(5);
  with_workspace([&](void* w, std::size_t& b) {
    return cub::DeviceSegmentedReduce::Sum(w, b, input.data(), sums.data(), 5, borders.data(), borders.data() + 1);
  });
  std::vector<int> totals;
  for (int i = 0; i < 5; ++i)
    totals.push_back(std::accumulate(runs.begin() + offsets[i], runs.begin() + offsets[i + 1], 0));
  sample::compare("DeviceSegmentedReduce::Sum", sums.get(), totals);
  return sample::passed();
}
