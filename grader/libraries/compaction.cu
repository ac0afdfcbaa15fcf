// The solution of lab compaction compared with cub::DeviceSelect.
#include <algorithm>
#include <cub/device/device_select.cuh>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/lab.h"
#include "common/cuda/random.h"
#include "grader/libraries/comparison.h"

namespace {
#include "solutions/patterns/compaction/compaction.cu"

struct Greater {
  int limit;
  __host__ __device__ bool operator()(int number) const { return number > limit; }
};
}  // namespace

namespace warpbook::grader {

void compare_compaction(const Compare& compare) {
  constexpr int kLog = 22, kNumbers = 1 << kLog;  // The most that the contract allows.
  for (const int percent : {50, 5}) {
    std::vector<int> values(kNumbers);
    Random random(percent);
    for (int& value : values) value = static_cast<int>(random.integer(0, 99));
    const int limit = 99 - percent, n = kNumbers;
    const auto kept = std::count_if(values.begin(), values.end(), [&](int value) { return value > limit; });
    const DeviceBuffer<int> in{std::span<const int>(values)}, scratch(n / 128 + 16), own(n), other(n);
    const DeviceBuffer<int> own_kept(1), other_kept(1);
    WB_CHECK(cudaMemset(own.data(), 0, n * sizeof(int)));
    WB_CHECK(cudaMemset(other.data(), 0, n * sizeof(int)));
    std::size_t bytes = 0;
    WB_CHECK(cub::DeviceSelect::If(nullptr, bytes, in.data(), other.data(), other_kept.data(), n, Greater{limit}));
    const DeviceBuffer<char> room(std::max<std::size_t>(bytes, 1));
    compare({.lab = "compaction",
             .library = "cub::DeviceSelect::If",
             .size = "2^" + std::to_string(kLog) + " ints, " + std::to_string(percent) + " % kept",
             .amount = 4.0 * (n + kept),
             .unit = "GB/s",
             .solution = [&] { compact(in.data(), limit, own.data(), own_kept.data(), scratch.data(), n); },
             .of_library =
                 [&] {
                   WB_CHECK(cub::DeviceSelect::If(room.data(), bytes, in.data(), other.data(), other_kept.data(), n,
                                                  Greater{limit}));
                 },
             .difference =
                 [&] {
                   const std::string counts = first_difference(own_kept.download(), other_kept.download());
                   return counts.empty() ? first_difference(own.download(), other.download()) : "counts: " + counts;
                 }});
  }
}

}  // namespace warpbook::grader
