// The solution of lab scan compared with cub::DeviceScan.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/lab.h"
#include "common/cuda/random.h"
#include "grader/libraries/comparison.h"

namespace {
#include "solutions/patterns/scan/scan.cu"
}

namespace warpbook::grader {

void compare_scan(const Compare& compare) {
  for (const int log : {22, 26}) {
    const int n = 1 << log;
    std::vector<int> values(n);
    Random random(log);
    for (int& value : values) value = static_cast<int>(random.integer(-20, 20));
    const DeviceBuffer<int> in{std::span<const int>(values)}, own(n), other(n);
    const DeviceBuffer<unsigned long long> scratch(n / 512 + 16);
    std::size_t bytes = 0;
    WB_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), other.data(), n));
    const DeviceBuffer<char> room(std::max<std::size_t>(bytes, 1));
    compare(
        {.lab = "scan",
         .library = "cub::DeviceScan::InclusiveSum",
         .size = "2^" + std::to_string(log) + " ints",
         .amount = 8.0 * n,
         .unit = "GB/s",
         .solution = [&] { scan(in.data(), own.data(), scratch.data(), n); },
         .of_library = [&] { WB_CHECK(cub::DeviceScan::InclusiveSum(room.data(), bytes, in.data(), other.data(), n)); },
         .difference = [&] { return first_difference(own.download(), other.download()); }});
  }
}

}  // namespace warpbook::grader
