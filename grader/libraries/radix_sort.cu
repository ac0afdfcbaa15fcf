// The solution of lab radix_sort compared with cub::DeviceRadixSort.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/lab.h"
#include "common/cuda/random.h"
#include "grader/libraries/comparison.h"

namespace {
#include "solutions/patterns/radix_sort/radix_sort.cu"
}

namespace warpbook::grader {

void compare_radix_sort(const Compare& compare) {
  for (const int log : {20, 24}) {
    const int n = 1 << log;
    std::vector<unsigned> values(n);
    Random random(log);
    for (unsigned& value : values) value = static_cast<unsigned>(random.bits());
    const DeviceBuffer<unsigned> in{std::span<const unsigned>(values)}, own(n), other(n), scratch(2 * n + n / 8 + 1024);
    std::size_t bytes = 0;
    WB_CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in.data(), other.data(), n));
    const DeviceBuffer<char> room(std::max<std::size_t>(bytes, 1));
    compare({.lab = "radix_sort",
             .library = "cub::DeviceRadixSort::SortKeys",
             .size = "2^" + std::to_string(log) + " keys of 32 bits",
             .amount = 1.0 * n,
             .unit = "G keys/s",
             .solution = [&] { sort_keys(in.data(), own.data(), scratch.data(), n); },
             .of_library =
                 [&] { WB_CHECK(cub::DeviceRadixSort::SortKeys(room.data(), bytes, in.data(), other.data(), n)); },
             .difference = [&] { return first_difference(own.download(), other.download()); }});
  }
}

}  // namespace warpbook::grader
