// The same job by a library: cub::DeviceRadixSort. For comparison, no rung to climb.
#include <cstddef>
#include <cub/device/device_radix_sort.cuh>

#include "grader/labs/patterns/radix_sort/rungs/solution.cuh"

void sort_keys(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
  std::size_t bytes = 0;
  WB_CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, n));  // Only asks how much memory it needs.
  void* temporary = scratch;
  const std::size_t given = (2 * static_cast<std::size_t>(n) + n / 8 + 1024) * sizeof *scratch;
  if (bytes > given) WB_CHECK(cudaMallocAsync(&temporary, bytes, nullptr));
  WB_CHECK(cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, n));
  if (bytes > given) WB_CHECK(cudaFreeAsync(temporary, nullptr));
}
