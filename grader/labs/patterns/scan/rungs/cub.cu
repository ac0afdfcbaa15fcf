// The same job by a library: cub::DeviceScan. For comparison, no rung to climb.
#include <cub/device/device_scan.cuh>

#include "grader/labs/library_memory.cuh"
#include "grader/labs/patterns/scan/rungs/solution.cuh"

void scan(const int* in, int* out, unsigned long long*, int n) {
  with_library_memory(n, [=](void* temporary, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, n);
  });
}
