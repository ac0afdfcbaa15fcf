// The same job by a library: cub::DeviceSelect. For comparison, no rung to climb.
#include <cstddef>
#include <cub/device/device_select.cuh>

#include "grader/labs/patterns/compaction/rungs/solution.cuh"

struct Greater {
  int limit;
  __host__ __device__ bool operator()(int number) const { return number > limit; }
};

void compact(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  std::size_t bytes = 0;
  WB_CHECK(cub::DeviceSelect::If(nullptr, bytes, in, out, kept, n, Greater{limit}));  // Only asks how much it needs.
  void* temporary = scratch;
  const std::size_t given = (static_cast<std::size_t>(n) / 128 + 16) * sizeof *scratch;
  if (bytes > given) WB_CHECK(cudaMallocAsync(&temporary, bytes, nullptr));
  WB_CHECK(cub::DeviceSelect::If(temporary, bytes, in, out, kept, n, Greater{limit}));
  if (bytes > given) WB_CHECK(cudaFreeAsync(temporary, nullptr));
}
