// The same job by a library: cub::DeviceReduce. For comparison, no rung to climb.
#include <cub/device/device_reduce.cuh>

#include "grader/labs/library_memory.cuh"
#include "grader/labs/threads/reduction/rungs/passes.cuh"

void sum(const float* in, float* out, float*, int n) {
  with_library_memory(
      n, [=](void* temporary, std::size_t& bytes) { return cub::DeviceReduce::Sum(temporary, bytes, in, out, n); });
}
