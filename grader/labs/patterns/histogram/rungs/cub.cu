// The same job by a library: cub::DeviceHistogram. For comparison, no rung to climb.
#include <cub/device/device_histogram.cuh>

#include "grader/labs/library_memory.cuh"
#include "grader/labs/patterns/histogram/rungs/solution.cuh"

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  with_library_memory(width * height, [=](void* temporary, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, image, reinterpret_cast<int*>(bins), kBins + 1, 0,
                                               kBins, width, height, static_cast<std::size_t>(pitch));
  });
}
