// The same job by a library: cub::DeviceScan. For comparison, no rung to climb.
#include <cstddef>
#include <cub/device/device_scan.cuh>

#include "common/cuda/check.cuh"
#include "grader/labs/patterns/scan/rungs/solution.cuh"

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  std::size_t bytes = 0;
  WB_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n));  // Only asks how much memory it needs.
  void* temporary = scratch;
  const std::size_t given = (static_cast<std::size_t>(n) / 512 + 16) * sizeof *scratch;
  if (bytes > given) WB_CHECK(cudaMallocAsync(&temporary, bytes, nullptr));
  WB_CHECK(cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, n));
  if (bytes > given) WB_CHECK(cudaFreeAsync(temporary, nullptr));
}
