// The functions of lab bezier, and runners for what a plain call cannot express.
#include <type_traits>

#include "bezier.h"
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

// The curves of a case: six floats each, in the layout of Curve.
struct Curves {
  explicit Curves(const Case& given, const std::string& name = "curves")
      : buffer(given, name), count(static_cast<int>(buffer.size() / 6)), zoom(number(given, "zoom")) {
    static_assert(sizeof(Curve) == 6 * sizeof(float));
  }
  const Curve* data() const { return reinterpret_cast<const Curve*>(buffer.data()); }
  InputBuffer<float> buffer;
  int count, zoom;
};

// What only a kernel can do: the host cannot copy from the device heap. Block b copies polyline b; a polyline without
// memory counts 0 points, one with a number of points that there is no room for counts -1.
__global__ void copy_polylines(const Polyline* lines, int capacity, int* needed, int* counts, float2* points) {
  const Polyline line = lines[blockIdx.x];
  const bool fits = line.count >= 0 && line.count <= capacity;
  if (threadIdx.x == 0) {
    needed[blockIdx.x] = line.count;
    counts[blockIdx.x] = line.points == nullptr ? 0 : fits ? line.count : -1;
  }
  if (line.points == nullptr || !fits) return;
  for (int i = threadIdx.x; i < line.count; i += blockDim.x) points[blockIdx.x * capacity + i] = line.points[i];
}

__global__ void count_pointers(const Polyline* lines, int count, int* not_null) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && lines[i].points != nullptr) atomicAdd(not_null, 1);
}

// Polylines with rubbish in them, like any new memory. The device makes them: a cudaMemset would count as the answer's
// time.
struct Lines : FilledBuffer<std::uint8_t> {
  Lines(const Case& given, int count) : FilledBuffer(given, "lines", (count + 1) * sizeof(Polyline), 0xcd) {}
  Polyline* data() const { return static_cast<Polyline*>(address()); }
};

void run_fixed(const Case& given, Reply& reply) {
  const Curves curves(given);
  const int capacity = number(given, "capacity");
  const OutputBuffer<std::int32_t> counts(given, "counts", curves.count);
  const OutputBuffer<float> points(given, "points", std::size_t{2} * curves.count * capacity);
  measure(reply, [&] {
    draw_fixed(curves.data(), curves.count, curves.zoom, capacity, counts.data(),
               reinterpret_cast<float2*>(points.data()));
  });
  send(reply, curves.buffer, counts, points);
}

// Draws `times` times, releases the memory before each drawing but the first, and after the last one if asked, and
// sends what the last drawing holds.
void run_draw(const Case& given, Reply& reply) {
  const Curves curves(given);
  const int capacity = number(given, "capacity"), times = number(given, "times");
  const Lines lines(given, curves.count);
  const OutputBuffer<std::int32_t> needed(given, "needed", curves.count), counts(given, "counts", curves.count);
  const OutputBuffer<float> points(given, "points", std::size_t{2} * curves.count * capacity);
  for (int i = 0; i < times; ++i) {
    if (i > 0) release(lines.data(), curves.count);
    draw(curves.data(), curves.count, curves.zoom, lines.data());
    WB_CHECK(cudaGetLastError());
  }
  if (curves.count > 0)
    copy_polylines<<<curves.count, 64>>>(lines.data(), capacity, needed.data(), counts.data(),
                                         reinterpret_cast<float2*>(points.data()));
  send(reply, curves.buffer, needed, counts, points);
  if (!given.has("release")) return;
  release(lines.data(), curves.count);
  const OutputBuffer<std::int32_t> left(given, "left", 1);
  WB_CHECK(cudaMemset(left.data(), 0, sizeof(std::int32_t)));
  count_pointers<<<curves.count / 256 + 1, 256>>>(lines.data(), curves.count, left.data());
  send(reply, left);
}

void run_lengths(const Case& given, Reply& reply) {
  const Curves curves(given);
  const Lines lines(given, curves.count);
  const OutputBuffer<float> lengths(given, "lengths", curves.count);
  for (int i = 1; i < number(given, "times"); ++i) {
    measure_lengths(curves.data(), curves.count, curves.zoom, lines.data(), lengths.data());
    WB_CHECK(cudaGetLastError());
  }
  measure(reply, [&] { measure_lengths(curves.data(), curves.count, curves.zoom, lines.data(), lengths.data()); });
  send(reply, curves.buffer, lengths);
}

}  // namespace

WB_FUNCTION(predict_children)
WB_FUNCTION(predict_children_at_once)
WB_RUNNER("draw_fixed", run_fixed)
WB_RUNNER("draw", run_draw)
WB_RUNNER("measure_lengths", run_lengths)
