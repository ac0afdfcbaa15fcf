// The tests of lab bezier: what is drawn, in how much memory and by how many grids, and why.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "grader/runner/lab_test.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kLargest = 1023;  // Of a coordinate.
constexpr int kHeapBytes = 8 << 20;
constexpr int kMostCurves = 2200, kMostZoom = 4096;  // What the contract promises: more than may wait to be launched,
constexpr int kMostRoom = 1 << 21;                   // and in part 1: curves x capacity.

// ---- Curves, and the oracle

struct Curve {
  double x[3], y[3];
};

std::vector<Curve> curves_of(const Case& given) {
  const std::vector<float> values = given.array<float>("curves");
  std::vector<Curve> curves(values.size() / 6);
  for (std::size_t c = 0; c < curves.size(); ++c)
    for (int p = 0; p < 3; ++p) {
      curves[c].x[p] = values[6 * c + 2 * p];
      curves[c].y[p] = values[6 * c + 2 * p + 1];
    }
  return curves;
}

/// In whole numbers: the fewest pieces n, 1 or more, with n^4 >= (zoom * |p0 - 2 p1 + p2|)^2; a point more than pieces.
int points_needed(const Curve& curve, int zoom) {
  const auto x = static_cast<std::int64_t>(curve.x[0] - 2 * curve.x[1] + curve.x[2]);
  const auto y = static_cast<std::int64_t>(curve.y[0] - 2 * curve.y[1] + curve.y[2]);
  const std::int64_t squared = (x * x + y * y) * zoom * zoom;  // Less than 2^48.
  std::int64_t pieces = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(std::sqrt(squared))) - 2);
  while (pieces * pieces * pieces * pieces < squared) ++pieces;
  return static_cast<int>(pieces) + 1;
}

std::pair<double, double> point_on(const Curve& curve, double t) {
  const double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
  return {a * curve.x[0] + b * curve.x[1] + c * curve.x[2], a * curve.y[0] + b * curve.y[1] + c * curve.y[2]};
}

std::vector<std::int32_t> counts_of(const std::vector<Curve>& curves, int zoom) {
  std::vector<std::int32_t> counts;
  for (const Curve& curve : curves) counts.push_back(points_needed(curve, zoom));
  return counts;
}

std::int64_t sum(const std::vector<std::int32_t>& values) {
  std::int64_t total = 0;
  for (const std::int32_t value : values) total += value;
  return total;
}

int largest(const std::vector<std::int32_t>& values) {
  return values.empty() ? 1 : *std::max_element(values.begin(), values.end());
}

/// Three points anywhere: most curves are strongly bent.
void add_bent(Random& random, std::vector<float>& curves) {
  for (int i = 0; i < 6; ++i) curves.push_back(static_cast<float>(random.integer(0, kLargest)));
}

/// Nearly straight in most cases, strongly bent in few: as the outlines of letters are.
void add_mixed(Random& random, std::vector<float>& curves) {
  const auto clamped = [](double value) {
    return static_cast<float>(std::clamp(std::round(value), 0.0, double{kLargest}));
  };
  const double x0 = random.integer(0, kLargest), y0 = random.integer(0, kLargest);
  const double x2 = random.integer(0, kLargest), y2 = random.integer(0, kLargest);
  const double bend = 900 * std::pow(random.real(0, 1), 6), angle = random.real(0, 6.28);
  for (const double value :
       {x0, y0, (x0 + x2) / 2 + bend * std::cos(angle), (y0 + y2) / 2 + bend * std::sin(angle), x2, y2})
    curves.push_back(clamped(value));
}

std::vector<float> many(Random& random, int count, void (*add)(Random&, std::vector<float>&)) {
  std::vector<float> curves;
  for (int i = 0; i < count; ++i) add(random, curves);
  return curves;
}

/// A point, a straight line, one with its points unevenly spaced, and the most strongly bent curve there is.
std::vector<float> special_curves() {
  return {5, 7,    5,    7, 5, 7,    0,    0, 500, 500, 1000, 1000, 0, 0, 0,
          0, 1023, 1023, 0, 0, 1023, 1023, 0, 0,   1,   2,    3,    5, 4, 8};
}

int any_count(int most = kMostCurves) { return static_cast<int>(test_random().size(1, most)); }
/// Children of cases of any size: kMostCurves at once are in tests of their own.
constexpr int kSomeChildren = 400;

/// A zoom at which the most bent curve has at most @p most points, more or less.
int any_zoom(int most) {
  const std::int64_t pieces = std::max(1, most - 2);  // At most sqrt(zoom * |p0 - 2 p1 + p2|), which is below 2900.
  return static_cast<int>(test_random().size(1, std::clamp<std::int64_t>(pieces * pieces / 2900, 1, kMostZoom)));
}

constexpr int kRoomInHeap = kHeapBytes / 2 / 8;  // Points that have room for sure.

/// Each curve is a child grid, which costs checkers as much as some thousand elements.
Case case_of(const char* function, const std::vector<float>& curves, int zoom, std::size_t times = 1) {
  constexpr std::size_t kWorkOfChild = 2000;
  return Case()
      .set("function", function)
      .set("curves", curves)
      .set("zoom", zoom)
      .set("times", times)
      .set(kWork, times * (curves.size() / 6) * kWorkOfChild);
}

Case& with_capacity(Case& given) {
  return given.set("capacity", largest(counts_of(curves_of(given), static_cast<int>(given.integer("zoom")))));
}

// ---- What is checked of a drawing

std::string place(std::size_t curve, std::size_t curves) {
  return "curve " + std::to_string(curve) + " of " + std::to_string(curves);
}

/// The launch after draw()'s own: the worker's, which copies what was drawn.
constexpr Moment kDrawn = {Moment::Kind::host_launch, 1};
/// How much larger the device makes what was drawn then.
constexpr float kScale = 2;

const char* const kNotComputed =
    "\n  Its points were never computed. Did its child run? A launch that finds no room among the pending ones (2048, "
    "unless the host asks for more with cudaDeviceSetLimit) is dropped without a message.";

/// What one may suspect where point i of curve c, the first wrong one, is (x, y).
std::pair<const char*, std::string> suspicion(const std::vector<Curve>& curves, std::size_t c, std::size_t i, float x,
                                              float y) {
  const auto begins_at = [&](const Curve& curve) { return x == curve.x[0] && y == curve.y[0]; };
  if (i == 1 && begins_at(curves[c]))
    return {"first_point_again", "\n  It is the first point again: is i / (count - 1) a division of integers?"};
  for (std::size_t other = 0; i > 1 && other < curves.size(); ++other)
    if (other != c && begins_at(curves[other]))
      return {
          "point_of_another_curve",
          "\n  It is the first point of curve " + std::to_string(other) +
              ": does the memory of that curve begin before this one's ends? malloc() takes bytes, and a point has 8."};
  if (!(std::fabs(x) < 1e5) || (x == 0 && y == 0 && !begins_at(curves[c]))) return {"point_not_computed", kNotComputed};
  return {"point", ""};
}

/// Points [0, counts[c]) of each curve must lie where they belong, and nothing may be written beyond them.
void require_points(const Answer& answer, const std::vector<Curve>& curves, const std::vector<std::int32_t>& counts,
                    int zoom) {
  const auto points = answer.output<float>("points");
  const auto capacity = static_cast<std::size_t>(answer.given.integer("capacity"));
  const float scale = was_changed(answer, kDrawn) ? kScale : 1;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const int needed = points_needed(curves[c], zoom);
    for (std::size_t i = 0; i < capacity; ++i) {
      const float x = points[2 * (c * capacity + i)] / scale, y = points[2 * (c * capacity + i) + 1] / scale;
      if (i >= static_cast<std::size_t>(counts[c])) {
        if (!std::isnan(x) || !std::isnan(y))
          WB_FAIL("point_too_many", "Point " << i << " of " << place(c, curves.size())
                                             << " was written, but the curve has " << counts[c] << " points.");
        continue;
      }
      const auto [right_x, right_y] = point_on(curves[c], static_cast<double>(i) / (needed - 1));
      const double error = std::hypot(x - right_x, y - right_y);
      if (error <= 2e-3) continue;
      if (scale != 1 && std::hypot(scale * x - right_x, scale * y - right_y) <= 2e-3)
        WB_FAIL("points_not_in_heap", "The points of "
                                          << place(c, curves.size())
                                          << " do not lie in the device heap: draw() takes memory for "
                                          << "them with malloc() in a kernel, and that is where they are to be.");
      std::ostringstream text;
      text << "Point " << i << " (of " << needed << ") of " << place(c, curves.size()) << " is (" << x << ", " << y
           << "), but B(" << i << " / " << needed - 1 << ") is (" << right_x << ", " << right_y << ").";
      const auto [low_x, low_y] = point_on(curves[c], static_cast<double>(i) / needed);
      if (std::hypot(x - low_x, y - low_y) <= 2e-3)
        text << "\n  It is B(" << i << " / " << needed << "): n points make n - 1 pieces.";
      const auto [name, why] = suspicion(curves, c, i, x, y);
      WB_FAIL(name, text.str() << why);
    }
  }
}

void require_counts(const std::vector<std::int32_t>& found, const std::vector<Curve>& curves, int zoom) {
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const int needed = points_needed(curves[c], zoom);
    if (found[c] != needed)
      WB_FAIL(Requirement("number_of_points").with("found", found[c]).with("expected", needed),
              "The number of points of " << place(c, curves.size()) << " is " << found[c] << ", but points_needed() is "
                                         << needed << " at zoom " << zoom << ".");
  }
}

bool counted(const Answer& answer) { return !answer.profile.kernels.empty(); }

Answer check_fixed(const std::vector<float>& values, int zoom, int more = 0) {
  Case given = case_of("draw_fixed", values, zoom);
  with_capacity(given);
  given.set("capacity", given.integer("capacity") + more);
  const Answer answer = grade(given);
  const auto curves = curves_of(given);
  const auto counts = answer.output<std::int32_t>("counts");
  require_counts(counts, curves, zoom);
  require_points(answer, curves, counts, zoom);
  require_default_stream(answer);
  if (counted(answer))
    require_at_most(answer, Quantity::kernel_launches, 1,
                    "One kernel draws all curves, a block each, without children.");
  return answer;
}

/// Bytes that lanes of a kernel load from global memory or store there.
double bytes_moved(const KernelRecord& kernel, Direction direction) {
  double bytes = 0;
  for (const LineCounters& line : kernel.lines)
    for (const AccessCounters& access : line.accesses)
      if (access.space == "global" && moves(access, direction)) bytes += access.bytes;
  return bytes;
}

/// Those of some kernels.
template <class Condition>
double bytes_moved(const Answer& answer, Direction direction, Condition condition) {
  double bytes = 0;
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (condition(kernel)) bytes += bytes_moved(kernel, direction);
  return bytes;
}

bool is_tail(const KernelRecord& kernel) { return kernel.queue == "tail"; }
bool is_child(const KernelRecord& kernel) { return kernel.parent.has_value() && !is_tail(kernel); }

/// Points of all curves of a case.
std::int64_t points_of(const Answer& answer) {
  return sum(counts_of(curves_of(answer.given), static_cast<int>(answer.given.integer("zoom"))));
}

/// The children store the points, if there are any. @param at_all some of them is enough: to be asked before the result
/// is looked at
void require_work_of_children(const Answer& answer, bool at_all = false) {
  if (!counted(answer)) return;
  const auto points = static_cast<double>(points_of(answer));
  const double stored = bytes_moved(answer, Direction::out, is_child);
  const auto& kernels = answer.profile.kernels;
  if (std::none_of(kernels.begin(), kernels.end(), is_child)) return;  // Tests of launches say so.
  if (!at_all) {
    std::vector<double> shares, moved;
    for (const std::int32_t count : counts_of(curves_of(answer.given), static_cast<int>(answer.given.integer("zoom"))))
      shares.push_back(8.0 * count);
    for (const KernelRecord& kernel : kernels)
      if (is_child(kernel)) moved.push_back(bytes_moved(kernel, Direction::out));
    require_shares(moved, shares, 1, 64, "Children store");
  }
  if (stored < (at_all ? 1 : 8 * points))
    WB_FAIL("children_store_too_little", "The children store "
                                             << stored << " bytes, but the points of all curves are " << 8 * points
                                             << ": who computes them? A child is launched to draw its curve.");
}

/// The tail's grid reads the points that the children have stored.
void require_work_in_the_tail(const Answer& answer, bool at_all = false) {
  if (!counted(answer)) return;
  const auto points = static_cast<double>(points_of(answer));
  const double loaded = bytes_moved(answer, Direction::in, is_tail);
  const auto& kernels = answer.profile.kernels;
  if (at_all && std::none_of(kernels.begin(), kernels.end(), is_tail)) return;
  if (loaded < (at_all ? points : 8 * points))
    WB_FAIL("tail_loads_too_little", "The grid in the tail loads "
                                         << loaded << " bytes, but the points of all curves are " << 8 * points
                                         << ": who adds up the lengths? That is what it is launched for.");
}

/// In the documented order, and if there is one drawing (change.h): what lies in the heap when the first child starts
/// is lost, so that children draw; and what lies there when the drawing is done is twice as large, so that it lies
/// there.
Case& with_changed_heap(Case& given, Moment done) {
  const bool in_order = !given.has(kScheduleSeed) || given.integer(kScheduleSeed) == 0;
  if (!in_order || given.integer("times") != 1) return given;
  change(given, Moment::child(), kHeap, std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
  return change(given, done, kHeap, std::vector<float>{kScale}, ChangeBy::multiplying);
}

/// The heap has room for all of them.
Answer check_draw(Case given) {
  const Answer answer = grade(with_changed_heap(with_capacity(given), kDrawn));
  require_work_of_children(answer, true);
  const auto curves = curves_of(given);
  const int zoom = static_cast<int>(given.integer("zoom"));
  const auto counts = answer.output<std::int32_t>("counts"), needed = answer.output<std::int32_t>("needed");
  require_counts(needed, curves, zoom);
  for (std::size_t c = 0; c < curves.size(); ++c)
    if (counts[c] != needed[c])
      WB_FAIL("nullptr_despite_room",
              "The points of "
                  << place(c, curves.size()) << " are nullptr, but the heap has room for all points of all "
                  << "curves.\n  Was the memory of earlier calls freed, and is no more allocated than is needed?");
  require_points(answer, curves, counts, zoom);
  require_default_stream(answer);
  if (given.integer("times") == 1) require_work_of_children(answer);
  if (given.integer("times") == 1 && !given.has("release"))
    require_at_most(answer, Quantity::launches_by_host, 2,
                    "One kernel is draw()'s, with a thread for each curve; the "
                    "other one is the test's, which reads the points.");
  if (counted(answer))
    require_at_most(answer, Quantity::tail_launches, 0, "No curve waits for another one: a tail has nothing to do.");
  return answer;
}

Answer check_draw(const std::vector<float>& values, int zoom) { return check_draw(case_of("draw", values, zoom)); }

/// The lengths are those of what lies in the heap when the tail starts, and not known before.
Case& with_changes_for_lengths(Case& given) {
  if (changes_of(with_changed_heap(given, Moment::tail())).empty()) return given;
  change(given, Moment::tail(), "curves", std::vector<float>{700, 1, 30}, ChangeBy::replacing, kWhole);
  return change(given, Moment::tail(), "lengths", std::vector<float>{3}, ChangeBy::multiplying, kWhole);
}

/// Wrong lengths, and children, but no tail: that is what is wrong.
void require_tail(const Answer& answer, const std::vector<float>& expected) {
  if (!counted(answer) || value_of(answer.profile, Quantity::launches_by_kernels).value_or(0) == 0 ||
      value_of(answer.profile, Quantity::tail_launches).value_or(0) > 0)
    return;
  const auto found = answer.output<float>("lengths");
  for (std::size_t c = 0; c < expected.size(); ++c)
    if (!(std::fabs(found[c] - expected[c]) <= 1e-2 + 1e-3 * expected[c]))
      WB_FAIL("length",
              "The length of " << place(c, expected.size()) << " is " << found[c] << ", but it should be "
                               << expected[c]
                               << ".\n  Nothing was launched in the tail of measure_kernel, so length_kernel may read "
                               << "points before their children have written them. Launch it in cudaStreamTailLaunch.");
}

Answer check_lengths(Case given) {
  if (changes_of(given).empty()) with_changes_for_lengths(given);
  const Answer answer = grade(given);
  const double scale = was_changed(answer, Moment::tail()) ? kScale : 1;
  const int zoom = static_cast<int>(given.integer("zoom"));
  std::vector<float> expected;
  for (const Curve& curve : curves_of(given)) {
    const int count = points_needed(curve, zoom);
    double length = 0;
    for (int i = 1; i < count; ++i) {
      const auto [x0, y0] = point_on(curve, (i - 1.0) / (count - 1));
      const auto [x1, y1] = point_on(curve, static_cast<double>(i) / (count - 1));
      length += std::hypot(x1 - x0, y1 - y0);
    }
    expected.push_back(static_cast<float>(scale * length));
  }
  require_work_in_the_tail(answer, true);
  require_tail(answer, expected);
  require_close(answer, "lengths", expected, {1e-3, 1e-2});  // The points' own rounding, thousands of times.
  require_default_stream(answer);
  if (given.integer("times") == 1) require_work_of_children(answer);
  return answer;
}

Answer check_lengths(const std::vector<float>& values, int zoom) {
  return check_lengths(case_of("measure_lengths", values, zoom));
}

void check_predictions(const char* function, bool at_once) {
  std::vector<std::int32_t> curves = {1024, 1, 64, 65, 1536, 1000, 4096, 7, 129};
  std::vector<std::int32_t> sizes = {64, 256, 64, 64, 256, 32, 1024, 1, 128};
  for (int i = 0; i < 5; ++i) {
    curves.push_back(static_cast<std::int32_t>(test_random().integer(1, 5000)));
    sizes.push_back(static_cast<std::int32_t>(test_random().integer(64, 1024)));
  }
  const Answer answer = grade(call(function, {each("curves", curves), each("block_sizes", sizes)}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == curves.size());
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::int32_t expected = 0;  // Counted thread by thread, and block by block.
    for (std::int32_t first = 0; first < curves[i]; first += sizes[i])
      expected += at_once ? 1 : std::min(sizes[i], curves[i] - first);
    if (found[i] != expected)
      WB_FAIL_CALL(
          function << "(" << curves[i] << ", " << sizes[i] << ")", found[i],
          ", but it is " << expected << ".\n  "
                         << (at_once ? "The NULL stream belongs to a block: launches of one block wait for each other, "
                                       "those of different blocks do not."
                                     : "Each thread that executes a launch launches, whatever block it is in."));
  }
}

}  // namespace

// ---- Questions

WB_LAB_TEST(correctness, 5, "the number of children is what runs") { check_predictions("predict_children", false); }

WB_LAB_TEST(correctness, 5, "the number of children at once is what runs") {
  check_predictions("predict_children_at_once", true);
}

// ---- Part 1

WB_LAB_TEST(correctness, 8, "the fixed kernel draws every curve") {
  check_fixed(special_curves(), 1);
  check_fixed(special_curves(), 4096, 1);
  for (const auto& [count, zoom] : {std::pair{1, 1}, {3, 37}, {100, 4}, {257, 1}, {0, 1}, {kMostCurves, 1}})
    check_fixed(many(test_random(), count, add_bent), zoom, count % 7);
  for (int i = 0; i < 3; ++i) {
    const int count = any_count();
    check_fixed(many(test_random(), count, add_mixed), any_zoom(kMostRoom / count), i);
  }
}

// ---- Part 2

WB_LAB_TEST(correctness, 10, "each curve is drawn in memory of its own") {
  check_draw(special_curves(), 1);
  check_draw(special_curves(), 4096);
  for (const std::int64_t schedule : other_orders())  // In which a child may run before its parent has gone on.
    check_draw(case_of("draw", many(test_random(), 70, add_bent), 8).set(kScheduleSeed, schedule));
  for (const auto& [count, zoom] : {std::pair{1, 1}, {31, 100}, {64, 3}, {65, 4}, {500, 16}, {0, 1}})
    check_draw(many(test_random(), count, add_bent), zoom);
  for (int i = 0; i < 3; ++i) {
    const int count = any_count(kSomeChildren);
    check_draw(many(test_random(), count, add_mixed), any_zoom(kRoomInHeap / count));
  }
  check_draw(many(test_random(), 40, add_bent), 8);
}

WB_LAB_TEST(correctness, 5, "a curve without memory disturbs no other") {
  check_draw(special_curves(), 1);  // A small case first: the large ones of a test need not run twice, and be checked.
  std::vector<float> curves;
  for (int i = 0; i < 340; ++i) {  // 340 x 3444 points are 9.4 MB; the heap has 8.
    const float at = static_cast<float>(i % 4);
    for (const float value : {at, 0.0f, 1023.0f, 1023.0f, 0.0f, at}) curves.push_back(value);
  }
  Case given = case_of("draw", curves, kMostZoom).set(kScheduleSeed, 0);  // So that a write to nullptr is seen as one.
  const Answer answer = grade(with_capacity(given));
  const auto counts = answer.output<std::int32_t>("counts"), needed = answer.output<std::int32_t>("needed");
  require_counts(needed, curves_of(given), kMostZoom);
  const auto without = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0));
  if (8 * sum(counts) > kHeapBytes)
    WB_FAIL("more_than_the_heap",
            "Only " << without << " of " << counts.size()
                    << " curves have the points nullptr, but the others need more than the 8 MB of the device heap.");
  if (without > 190)
    WB_FAIL("too_many_without_memory",
            without << " of " << counts.size() << " curves have no memory; 8 MB are enough for 150 or more.");
  require_points(answer, curves_of(given), counts, kMostZoom);
  if (counted(answer))
    require_at_most(answer, Quantity::launches_by_kernels, static_cast<double>(counts.size() - without),
                    "A curve without memory has no child: it would have nothing to do.");
}

WB_LAB_TEST(correctness, 8, "no launch is lost, however many curves there are") {
  check_draw(special_curves(), 1);
  check_draw(many(test_random(), kMostCurves, add_mixed), 1);
}

WB_LAB_TEST(correctness, 7, "release gives all memory back") {
  check_draw(case_of("draw", special_curves(), 1, 2).set("release", 1));  // Small. Then 20 times half a megabyte:
  const Answer answer = check_draw(case_of("draw", many(test_random(), 32, add_bent), kMostZoom, 20).set("release", 1));
  const int left = answer.output<std::int32_t>("left").at(0);
  if (left != 0)
    WB_FAIL("pointers_left",
            left << " of 32 polylines still have a pointer to points after release(); it must be nullptr.");
  if (counted(answer)) require_at_most(answer, Quantity::heap_live_bytes, 0, "Every malloc() has its free().");
}

// ---- Part 3

WB_LAB_TEST(correctness, 10, "the lengths of all curves are right") {
  check_lengths(special_curves(), 1);
  check_lengths(special_curves(), 4096);
  for (const std::int64_t schedule : other_orders())
    check_lengths(case_of("measure_lengths", many(test_random(), 70, add_bent), 64).set(kScheduleSeed, schedule));
  for (const auto& [count, zoom] : {std::pair{1, 1}, {31, 64}, {64, 3}, {65, 4}, {513, 16}, {0, 1}})
    check_lengths(many(test_random(), count, add_bent), zoom);
  for (int i = 0; i < 3; ++i) {
    const int count = any_count(kSomeChildren);
    check_lengths(many(test_random(), count, add_mixed), any_zoom(kRoomInHeap / count));
  }
}

WB_LAB_TEST(correctness, 5, "measuring can be done again and again, with many curves too") {
  check_lengths(case_of("measure_lengths", {0, 0, 1, 2, 3, 1, 9, 9, 5, 5, 1, 1}, 1, 2));  // Of two pieces at most.
  check_lengths(case_of("measure_lengths", many(test_random(), 32, add_bent), kMostZoom, 20));
  check_lengths(many(test_random(), kMostCurves, add_mixed), 1);
}

// ---- What it costs

WB_LAB_TEST(counters, 8, "each curve has one child, of the size that it needs") {
  const int count = static_cast<int>(test_random().integer(200, 300));
  const Answer answer = check_draw(many(test_random(), count, add_mixed), 1024);
  const std::string reason = std::to_string(count) + " curves: a child for each, launched by one thread.";
  require_at_most(answer, Quantity::launches_by_kernels, count, reason);
  require_at_least(answer, Quantity::launches_by_kernels, count, reason);
  double threads = 0;
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (kernel.parent) threads += static_cast<double>(kernel.grid[0]) * kernel.block[0];
  const auto points = static_cast<double>(sum(counts_of(curves_of(answer.given), 1024)));
  if (counted(answer) && threads > points + 256.0 * count)
    WB_FAIL("too_many_threads",
            "The children have "
                << threads << " threads for " << points << " points. Launch as many blocks as the points "
                << "of the curve need, rounded up, and no more: that is what a child of its own is good for.");
  require_work_of_children(answer);
}

WB_LAB_TEST(counters, 5, "no child waits for another one") {
  const Answer answer = check_draw(many(test_random(), 40, add_bent), 64);
  require_at_least(answer, Quantity::launches_by_kernels, 40, "40 curves: a child for each.");
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (kernel.queue == "block")
      WB_FAIL(
          "null_stream",
          "A launch of " << short_name(kernel.name) << " goes to the NULL stream of its block, so it waits for all "
                         << "launches that threads of the block made before.\n  Points of one curve need nothing of "
                         << "another curve: name cudaStreamFireAndForget as the fourth argument in <<< >>>.");
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (is_child(kernel) && kernel.waits_for > 0)
      WB_FAIL("waits_in_a_stream",
              "A launch of " << short_name(kernel.name) << " goes to a stream into which its block launched before: it "
                             << "waits there.\n  Name cudaStreamFireAndForget as the fourth argument in <<< >>>, or a "
                             << "stream of its own for each launch.");
}

WB_LAB_TEST(counters, 6, "the heap holds the points that are needed and no more") {
  const Answer answer = check_draw(many(test_random(), 200, add_mixed), 1024);
  const auto bytes = static_cast<double>(8 * sum(counts_of(curves_of(answer.given), 1024)));
  const std::string reason = "200 curves have " + std::to_string(static_cast<int>(bytes) / 8) + " points of 8 bytes.";
  require_at_most(answer, Quantity::heap_peak_bytes, bytes, reason);
  require_at_least(answer, Quantity::heap_peak_bytes, bytes, reason);
}

WB_LAB_TEST(counters, 5, "nothing is left in the heap") {
  const char* const reason = "Every malloc() has its free().";
  const auto curves = many(test_random(), 100, add_bent);
  require_at_most(check_draw(case_of("draw", curves, 8).set("release", 1)), Quantity::heap_live_bytes, 0, reason);
  require_at_most(check_lengths(curves, 8), Quantity::heap_live_bytes, 0, reason);
}

WB_LAB_TEST(counters, 6, "the host launches one kernel, and its tail is one grid") {
  const Answer answer = check_lengths(many(test_random(), 130, add_mixed), 16);
  require_at_most(answer, Quantity::launches_by_kernels, 131, "130 children, and one grid in the tail.");
  require_at_least(answer, Quantity::launches_by_kernels, 131, "130 children, and one grid in the tail.");
  require_at_most(answer, Quantity::tail_launches, 1, "One grid, with a block for each polyline, is enough.");
  require_at_least(answer, Quantity::tail_launches, 1,
                   "A grid that needs what all children have computed can start in the tail only.");
  require_at_most(answer, Quantity::kernel_launches, 132, "One launch by the host, and 131 by its kernel.");
  require_work_of_children(answer);
  require_work_in_the_tail(answer);
}

WB_LAB_TEST(time, 7, "measuring is as fast as the reference") {
  require_time(
      benchmark_case,
      [](const Case& given) {
        const Answer answer = check_lengths(given);
        if (!counted(answer)) return;
        const auto curves = static_cast<double>(curves_of(given).size());
        require_at_least(answer, Quantity::launches_by_kernels, curves + 1,
                         "What is timed is what the task asks for: a child for each curve, and one grid in the tail.");
        require_work_of_children(answer);
        require_work_in_the_tail(answer);
      },
      1.25, 4.0);
}

WB_LAB_BENCHMARK {
  Case given = case_of("measure_lengths", many(random, 1024, add_mixed), 4);
  return with_changes_for_lengths(given);
}
