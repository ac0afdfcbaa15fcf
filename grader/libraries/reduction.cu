// The solution of lab reduction compared with cub::DeviceReduce.
#include <algorithm>
#include <cub/device/device_reduce.cuh>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/lab.h"
#include "common/cuda/random.h"
#include "grader/libraries/comparison.h"

namespace {
#include "solutions/threads/reduction/reduction.cu"
}

namespace warpbook::grader {

void compare_reduction(const Compare& compare) {
  for (const int log : {23, 26}) {
    const int n = 1 << log;
    // Whole numbers so small that every order of additions gives the same sum.
    std::vector<float> values(n);
    Random random(log);
    for (float& value : values) value = static_cast<float>(random.integer(-1, 1));
    const DeviceBuffer<float> in{std::span<const float>(values)}, scratch(n + 1024), own(1), other(1);
    std::size_t bytes = 0;
    WB_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, in.data(), other.data(), n));
    const DeviceBuffer<char> room(std::max<std::size_t>(bytes, 1));
    compare({.lab = "reduction",
             .library = "cub::DeviceReduce::Sum",
             .size = "2^" + std::to_string(log) + " floats",
             .amount = 4.0 * n,
             .unit = "GB/s",
             .solution = [&] { sum(in.data(), own.data(), scratch.data(), n); },
             .of_library = [&] { WB_CHECK(cub::DeviceReduce::Sum(room.data(), bytes, in.data(), other.data(), n)); },
             .difference = [&] { return first_difference(own.download(), other.download()); }});
  }
}

}  // namespace warpbook::grader
