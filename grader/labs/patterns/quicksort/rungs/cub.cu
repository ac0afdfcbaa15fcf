// The same job by a library: cub::DeviceRadixSort. For comparison, no rung to climb.
#include <cub/device/device_radix_sort.cuh>

#include "grader/labs/library_memory.cuh"
#include "grader/labs/patterns/quicksort/rungs/solution.cuh"

void quicksort(unsigned* keys, unsigned* scratch, int count, Pivot) {
  cub::DoubleBuffer<unsigned> both(keys, scratch);
  with_library_memory(count, [&](void* temporary, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(temporary, bytes, both, count);
  });
  if (both.Current() != keys)
    WB_CHECK(cudaMemcpyAsync(keys, both.Current(), count * sizeof *keys, cudaMemcpyDeviceToDevice, nullptr));
}
