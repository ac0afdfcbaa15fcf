// The same job by a library: cub::DeviceRadixSort. For comparison, no rung to climb.
#include <cub/device/device_radix_sort.cuh>

#include "grader/labs/library_memory.cuh"
#include "grader/labs/patterns/radix_sort/rungs/solution.cuh"

void sort_keys(const unsigned* in, unsigned* out, unsigned*, int n) {
  with_library_memory(n, [=](void* temporary, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, n);
  });
}
