// A cheat: the curves are copied to the host, which adds up the lengths.
// rejected-by: counters.the host launches one kernel, and its tail is one grid
// because: Does the answer do its work on the GPU?
#include <cmath>
#include <vector>

#include "grader/labs/dynamic_parallelism/bezier/wrong/right_drawing.cuh"

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline*, float* lengths) {
  std::vector<Curve> host(curve_count);
  std::vector<float> sums(curve_count, 0.0f);
  WB_CHECK(cudaMemcpy(host.data(), curves, curve_count * sizeof(Curve), cudaMemcpyDeviceToHost));
  for (int c = 0; c < curve_count; ++c) {
    const int count = points_needed(host[c], zoom);
    for (int i = 1; i < count; ++i) {
      const float2 a = point_on(host[c], (i - 1.0f) / (count - 1)), b = point_on(host[c], float(i) / (count - 1));
      sums[c] += std::hypot(a.x - b.x, a.y - b.y);
    }
  }
  WB_CHECK(cudaMemcpy(lengths, sums.data(), curve_count * sizeof(float), cudaMemcpyHostToDevice));
}
