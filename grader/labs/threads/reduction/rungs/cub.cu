// The same job by a library: cub::DeviceReduce. For comparison, no rung to climb.
#include <cstddef>
#include <cub/device/device_reduce.cuh>

#include "common/cuda/check.cuh"
#include "grader/labs/threads/reduction/rungs/passes.cuh"

void sum(const float* in, float* out, float* scratch, int n) {
  std::size_t bytes = 0;
  WB_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, in, out, n));  // Only asks how much memory it needs.
  void* temporary = scratch;
  const std::size_t given = (static_cast<std::size_t>(n) + 1024) * sizeof(float);
  if (bytes > given) WB_CHECK(cudaMalloc(&temporary, bytes));
  WB_CHECK(cub::DeviceReduce::Sum(temporary, bytes, in, out, n));
  if (bytes > given) WB_CHECK(cudaFree(temporary));
}
