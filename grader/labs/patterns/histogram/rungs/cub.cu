// The same job by a library: cub::DeviceHistogram. For comparison, no rung to climb.
#include <cstddef>
#include <cub/device/device_histogram.cuh>

#include "common/cuda/check.cuh"
#include "grader/labs/patterns/histogram/rungs/solution.cuh"

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  std::size_t bytes = 0;
  void* temporary = nullptr;
  const auto count = [&] {
    WB_CHECK(cub::DeviceHistogram::HistogramEven(temporary, bytes, image, reinterpret_cast<int*>(bins), kBins + 1, 0,
                                                 kBins, width, height, static_cast<std::size_t>(pitch)));
  };
  count();  // Only asks how much memory it needs.
  WB_CHECK(cudaMallocAsync(&temporary, bytes, nullptr));
  count();
  WB_CHECK(cudaFreeAsync(temporary, nullptr));
}
