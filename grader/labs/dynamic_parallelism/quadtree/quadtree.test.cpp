// The tests of lab quadtree: which tree is built, by how many launches, and why.
#include <algorithm>
#include <sstream>

#include "grader/runner/lab_test.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kWorld = 65536;       // Side of the root's square.
constexpr int kMostPoints = 65536;  // That build() and split() may get.

// ---- Points: pairs x, y in one array

using Points = std::vector<std::int32_t>;

std::vector<std::pair<int, int>> pairs(const Points& points) {
  std::vector<std::pair<int, int>> result;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) result.emplace_back(points[i], points[i + 1]);
  return result;
}

/// `side` x `side` points, each in the middle of its cell, in random order.
Points equidistant(Random& random, int side) {
  std::vector<std::pair<int, int>> all;
  const int cell = kWorld / side;
  for (int i = 0; i < side * side; ++i) all.emplace_back(i % side * cell + cell / 2, i / side * cell + cell / 2);
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[static_cast<std::size_t>(random.integer(0, i - 1))]);
  Points points;
  for (const auto& [x, y] : all) points.insert(points.end(), {x, y});
  return points;
}

Points anywhere(Random& random, int count) { return random.array<std::int32_t>(std::size_t{2} * count, 0, kWorld - 1); }

/// Most points lie close to one corner.
Points crowded(Random& random, int count) {
  Points points;
  for (int i = 0; i < 2 * count; ++i) {
    const double u = random.real(0, 1);
    points.push_back(static_cast<std::int32_t>((kWorld - 1) * u * u * u));
  }
  return points;
}

// ---- The oracle

struct Square {
  int x = 0, y = 0, side = kWorld;
  bool holds(std::pair<int, int> point) const {
    return point.first >= x && point.first < x + side && point.second >= y && point.second < y + side;
  }
  Square quadrant(int q) const { return {x + q % 2 * (side / 2), y + q / 2 * (side / 2), side / 2}; }
  int quadrant_of(std::pair<int, int> point) const {
    return (point.first >= x + side / 2 ? 1 : 0) + (point.second >= y + side / 2 ? 2 : 0);
  }
};

constexpr int kNodeBytes = 24;

struct Totals {
  int nodes = 0, inner = 0, levels = 0;
  long looked_at = 0;  ///< Points of all squares that are split: a point counts in each of these.
  /// For each grid that is launched by a square that is split, the points of the squares that it splits in turn.
  std::vector<double> of_grids;
};

void count_tree(const std::vector<std::pair<int, int>>& points, const Square& square, int level, int min_points,
                int max_levels, Totals& totals) {
  ++totals.nodes;
  totals.levels = std::max(totals.levels, level);
  if (static_cast<int>(points.size()) <= min_points || level == max_levels) return;
  ++totals.inner;
  totals.looked_at += static_cast<long>(points.size());
  std::vector<std::pair<int, int>> parts[4];
  for (const auto& point : points) parts[square.quadrant_of(point)].push_back(point);
  const std::size_t grid = totals.of_grids.size();
  totals.of_grids.push_back(0);
  for (int q = 0; q < 4; ++q) {
    const bool splits = static_cast<int>(parts[q].size()) > min_points && level + 1 < max_levels;
    totals.of_grids[grid] += splits ? static_cast<double>(parts[q].size()) : 0;
    count_tree(parts[q], square.quadrant(q), level + 1, min_points, max_levels, totals);
  }
}

Totals totals_of(const Points& points, int min_points, int max_levels) {
  Totals totals;
  count_tree(pairs(points), {}, 1, min_points, max_levels, totals);
  return totals;
}

/// There is room for some nodes too many, so that a tree comes back in which they can be named. Not for many: a
/// recursion without end is stopped by the end of this memory.
Case tree_case(const Points& points, int min_points, int max_levels) {
  const int nodes = totals_of(points, min_points, max_levels).nodes;
  return Case()
      .set("function", "build")
      .set("points", points)
      .set("min_points", min_points)
      .set("max_levels", max_levels)
      .set("capacity", max_levels <= 2 ? 600 : 2 * nodes + 64);
}

// ---- Points that move while the tree grows
//
// Just before the first grid of a level starts, the device mirrors all points (change.h) in the squares of that level:
// none leaves its square, so what was done up to then stays right, and what was done beyond it was not for the grids
// that are launched to do. The tree of mirrored points has as many nodes.

constexpr int kDeepest = 15;  // Launches below the host's.

int mirror(int depth) { return (kWorld >> depth) - 1; }

/// Wherever the points lie at the time.
Case& with_mirrored_points(Case& given) {
  if (given.value("points").count() == 0) return given;
  for (int depth = 1; depth <= kDeepest; ++depth)
    for (const char* const array : {"sorted", "scratch"})
      change(given, Moment::child(static_cast<unsigned>(depth)), array, std::vector<std::int32_t>{mirror(depth)},
             ChangeBy::inverting, kWhole);
  return given;
}

/// The given points as they were moved.
std::vector<std::pair<int, int>> moved_points(const Answer& answer) {
  auto points = pairs(answer.given.array<std::int32_t>("points"));
  int bits = 0;
  for (int depth = 1; depth <= kDeepest; ++depth)
    if (was_changed(answer, Moment::child(static_cast<unsigned>(depth)))) bits ^= mirror(depth);
  for (auto& [x, y] : points) x ^= bits, y ^= bits;
  return points;
}

// ---- What is checked of a tree

struct Node {
  int x, y, side, first, count, child;
};

/// Walks through the tree that came back, from its root.
class TreeCheck {
 public:
  explicit TreeCheck(const Answer& answer)
      : min_points_(static_cast<int>(answer.given.integer("min_points"))),
        max_levels_(static_cast<int>(answer.given.integer("max_levels"))),
        points_(pairs(answer.output<std::int32_t>("sorted"))) {
    const auto given = answer.given.array<std::int32_t>("points");
    const Totals expected = totals_of(given, min_points_, max_levels_);
    const auto values = answer.output<std::int32_t>("nodes");
    for (std::size_t i = 0; i + 5 < values.size(); i += 6)
      nodes_.push_back({values[i], values[i + 1], values[i + 2], values[i + 3], values[i + 4], values[i + 5]});
    const int count = answer.output<std::int32_t>("node_count").at(0);
    visited_.assign(nodes_.size(), false);
    if (nodes_[0].count != static_cast<int>(points_.size()) || nodes_[0].first != 0)
      WB_FAIL("root", "The root, nodes[0], has first " << nodes_[0].first << " and count " << nodes_[0].count
                                                       << ", but it holds all " << points_.size()
                                                       << " points, from 0 on.");
    walk(0, {}, 1);
    auto before = moved_points(answer), after = points_;
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    if (before != after)
      WB_FAIL(
          "sorting_loses_points",
          "sorted[] does not hold the points that were given: some are missing, and others are there twice. Does each "
          "point get a place of its own?");
    if (count != expected.nodes)
      WB_FAIL("node_count", "*node_count is "
                                << count << ", but the tree has " << expected.nodes << " nodes."
                                << (count < expected.nodes ? "\n  A split takes four nodes."
                                                           : "\n  Does one thread of a block take the four nodes?"));
    if (!answer.given.has("before")) require_own_scratch(pairs(answer.output<std::int32_t>("scratch")));
  }

 private:
  void walk(int index, const Square& square, int level) {
    std::ostringstream where;
    where << "Node " << index << " (level " << level << ")";
    if (visited_[index])
      WB_FAIL("child_of_two", where.str() << " is the child of two nodes. Does each split take four nodes of its own?");
    visited_[index] = true;
    const Node& node = nodes_[index];
    if (node.x != square.x || node.y != square.y || node.side != square.side)
      WB_FAIL("square", where.str() << " has the square (" << node.x << ", " << node.y << ", side " << node.side
                                    << "); it must be (" << square.x << ", " << square.y << ", side " << square.side
                                    << ").");
    for (int i = node.first; i < node.first + node.count; ++i)
      if (!square.holds(points_[i]))
        WB_FAIL("point_outside_square",
                where.str() << " claims points " << node.first << " to " << node.first + node.count - 1
                            << ", but point " << i << ", (" << points_[i].first << ", " << points_[i].second
                            << "), is not in its square (" << square.x << ", " << square.y << ", side " << square.side
                            << ")."
                            << (level < 2 ? ""
                                          : "\n  Did the block of its parent split its own points, from tree.points + "
                                            "node.first on, and was all of that done before the launch?"));
    const bool must_split = node.count > min_points_ && level < max_levels_;
    if (!must_split) {
      if (node.child != -1)
        WB_FAIL(
            Requirement(level < max_levels_ ? "small_leaf_has_child" : "deep_leaf_has_child").with("child", node.child),
            where.str() << " has " << node.count << " points and is a leaf (split above " << min_points_
                        << " points, below level " << max_levels_ << "), but child is " << node.child << ", not -1."
                        << (level < max_levels_ ? ""
                                                : "\n  Is the level compared, and is it one more in each launch?"));
      return;
    }
    if (node.child == -1)
      WB_FAIL("not_split",
              where.str() << " has " << node.count << " points, more than " << min_points_
                          << ", and its level is less than " << max_levels_
                          << ", but it was not split: child is -1.\n  Was a grid launched with a block for each of the "
                          << "four, does block b take node first + b, and is child written?");
    if (node.child < 1 || node.child + 4 > static_cast<int>(nodes_.size()))
      WB_FAIL("no_such_child", where.str() << " has child " << node.child << "; there are no such four nodes.");
    int first = node.first;
    for (int q = 0; q < 4; ++q) {
      const Node& child = nodes_[node.child + q];
      if (child.first != first || child.count < 0 || child.first + child.count > node.first + node.count)
        WB_FAIL("range_of_child",
                "Quadrant " << q << " of node " << index << " (level " << level << ") has first " << child.first
                            << " and count " << child.count << ". Its points must begin at " << first
                            << ", where those of the quadrant before end, and lie within its parent's " << node.first
                            << " to " << node.first + node.count - 1 << ".");
      first += child.count;
    }
    if (first != node.first + node.count)
      WB_FAIL("children_lack_points", "The children of node " << index << " have " << first - node.first
                                                              << " points together, but it has " << node.count << ".");
    for (int q = 0; q < 4; ++q) walk(node.child + q, square.quadrant(q), level + 1);
  }

  /// The blocks of one grid run at the same time: what one wrote into scratch[] lies in the part of its own square.
  void require_own_scratch(const std::vector<std::pair<int, int>>& scratch) const {
    if (nodes_[0].child == -1) return;
    for (int q = 0; q < 4; ++q) {
      const Node& node = nodes_[nodes_[0].child + q];
      for (int i = node.first; i < node.first + node.count; ++i)
        if (scratch[i].first >= 0 && !Square{node.x, node.y, node.side}.holds(scratch[i]))
          WB_FAIL("scratch_of_others",
                  "scratch[" << i << "] belongs to node " << nodes_[0].child + q << ", with points " << node.first
                             << " to " << node.first + node.count - 1 << ", but it holds a point of another square."
                             << "\n  Blocks that run at the same time must not share a part of scratch: that of a node "
                             << "begins at tree.scratch + node.first.");
    }
  }

  int min_points_, max_levels_;
  std::vector<std::pair<int, int>> points_;
  std::vector<Node> nodes_;
  std::vector<bool> visited_;
};

/// The kernels must have built the tree: to split a square, a block looks at each of its points, and writes four nodes.
/// On a real GPU nothing is counted.
void require_work_of_kernels(const Answer& answer) {
  if (answer.profile.text.empty()) return;
  require_default_stream(answer);
  const Totals totals =
      totals_of(answer.given.array<std::int32_t>("points"), static_cast<int>(answer.given.integer("min_points")),
                static_cast<int>(answer.given.integer("max_levels")));
  if (totals.inner == 0) return;
  bool has_children = false;
  for (const KernelRecord& kernel : answer.profile.kernels) {
    if (!kernel.parent && has_children && !answer.given.has("before"))
      WB_FAIL("launch_by_host", "The host launched " << short_name(kernel.name)
                                                     << " after the grids that build the tree. When those are "
                                                     << "done, so is the tree.");
    has_children |= kernel.parent.has_value();
  }
  const double launches = value_of(answer.profile, Quantity::launches_by_kernels).value_or(0);
  if (launches < totals.inner)
    WB_FAIL("too_few_launches",
            "Kernels launched " << launches << " grids, but " << totals.inner << " squares are split, and each of them "
                                << "launches a grid for its children, in small trees and in large ones.");
  require_at_least(answer, Quantity::global_load_bytes, 8.0 * static_cast<double>(totals.looked_at),
                   "To split a square, a block looks at all of its points, 8 bytes each.");
  // Each grid splits its own squares. Points are loaded to be counted, to be moved and to be copied back, and again, if
  // somebody likes; the nodes by all threads.
  if (!answer.given.has("before")) {
    std::vector<double> moved, shares;
    for (const double points : totals.of_grids) shares.push_back(8 * points);
    for (const KernelRecord& kernel : answer.profile.kernels) {
      if (!kernel.parent) continue;
      moved.push_back(0);
      for (const LineCounters& line : kernel.lines)
        for (const AccessCounters& access : line.accesses)
          if (access.space == "global" && moves(access, Direction::in)) moved.back() += access.bytes;
    }
    require_shares(moved, shares, 6, 1 << 16, "Grids load");
  }
  require_at_least(answer, Quantity::global_store_bytes, 4.0 * kNodeBytes * totals.inner,
                   "Each square that is split writes four nodes of 24 bytes.");
}

Answer check_tree(Case given) {
  if (!given.has(kScheduleSeed) && !given.has("before") && changes_of(given).empty()) with_mirrored_points(given);
  const Answer answer = grade(given);
  const TreeCheck checked{answer};
  require_work_of_kernels(answer);
  return answer;
}

Answer check_tree(const Points& points, int min_points, int max_levels) {
  return check_tree(tree_case(points, min_points, max_levels));
}

// ---- One square

std::string listed(const std::vector<std::int32_t>& values) {
  std::string text;
  for (const std::int32_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

void require_starts(const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& expected) {
  if (found == expected) return;
  const int count = expected[4], counted = found[4];
  const auto fail_as = [&](const char* name, const std::string& why) {
    WB_FAIL(name, "starts[] is " << listed(found) << ", but it must be " << listed(expected) << ".\n  " << why);
  };
  const std::string all = std::to_string(count) + " points", those = std::to_string(counted);
  if (counted == 128 && count > 128)
    fail_as("starts_of_one_block", "Only 128 of " + all +
                                       " are counted: the block has 128 threads. Does each take one point after the "
                                       "other?");
  if (counted >= 0 && counted < count)
    fail_as("starts_too_early", "Only " + those + " of " + all +
                                    " are counted when they are added up. Does thread 0 alone add up, and does it wait "
                                    "until all threads have counted?");
  if (counted > count)
    fail_as("points_counted_again",
            "There are " + all + ", and " + those +
                " are counted. Does every thread count other points? Do all wait, until thread 0 "
                "has added up, before they move points and so change next[]?");
  if (std::equal(found.begin(), found.end() - 1, expected.begin()))
    fail_as("end_of_starts", "starts[4] is the end of quadrant 3: the number of points.");
  if (found[0] != 0 && found[4] == count)
    fail_as("first_start", "Quadrant 0 begins at 0; the others begin where the one before ends.");
  fail_as("starts", "starts[q + 1] is starts[q] and the number of points in quadrant q.");
}

/// There is more room than an answer may use, filled with -1.
void require_inside(const std::vector<std::pair<int, int>>& room, const char* name, std::size_t count) {
  for (std::size_t i = count; i < room.size(); ++i)
    if (room[i] != std::pair{-1, -1})
      WB_FAIL("place_too_far", "A point went to "
                                   << name << "[" << i << "], but " << count << " points have the places 0 to "
                                   << static_cast<long>(count) - 1
                                   << ".\n  Before the first point takes its place from next[q], all points must be "
                                   << "counted, and thread 0 must have written the starts into next[]: a "
                                   << "__syncthreads() after each of the two.");
}

Answer check_split(const Points& points, const Square& square, std::int64_t schedule = 0) {
  // More than the answer may use: a place beyond the end shows a point that went there before the starts were known.
  Points room = points;
  room.resize(2 * points.size() + 256, -1);
  const Answer answer =
      grade(call("split", {in_out("sorted", room), filled<std::int32_t>("scratch", room.size(), 0xff),
                           number("count", points.size() / 2), number("x", square.x), number("y", square.y),
                           number("side", square.side), output<std::int32_t>("starts", 5)})
                .set(kScheduleSeed, schedule));
  auto before = pairs(points), after = pairs(answer.output<std::int32_t>("sorted"));
  std::vector<std::int32_t> starts(5, 0);
  for (const auto& point : before) ++starts[square.quadrant_of(point) + 1];
  for (int q = 0; q < 4; ++q) starts[q + 1] += starts[q];
  require_starts(answer.output<std::int32_t>("starts"), starts);
  require_inside(pairs(answer.output<std::int32_t>("scratch")), "scratch", before.size());
  const auto all_after = after;
  after.resize(before.size());
  std::sort(before.begin(), before.end());
  auto sorted = after;
  std::sort(sorted.begin(), sorted.end());
  if (before != sorted)
    WB_FAIL(
        "moving_loses_points",
        "points[] does not hold the points that were given: some are missing, and others are there twice.\n  Does each "
        "point get a place of its own, and does every thread wait until all points are in scratch[] before it copies "
        "them back?");
  require_inside(all_after, "points", before.size());
  require_default_stream(answer);
  if (!before.empty() && !answer.profile.text.empty())
    require_at_least(answer, Quantity::global_load_bytes, 8.0 * static_cast<double>(before.size()),
                     "However few points there are, the block looks at each of them, 8 bytes.");
  require_at_most(answer, Quantity::kernel_launches, 1, "One block of one kernel sorts the points of one square.");
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (kernel.grid != std::array{1, 1, 1})
      WB_FAIL("blocks_of_split", "One block sorts the points of one square, as blocks of build() do; "
                                     << short_name(kernel.name) << " was launched with several.");
  const bool untouched = after == pairs(points);
  for (int q = 0; q < 4; ++q)
    for (int i = starts[q]; i < starts[q + 1]; ++i)
      if (square.quadrant_of(after[i]) != q)
        WB_FAIL("quadrant",
                "Point " << i << " of " << after.size() << ", (" << after[i].first << ", " << after[i].second
                         << "), stands among those of quadrant " << q << ", but belongs to quadrant "
                         << square.quadrant_of(after[i]) << " of the square (" << square.x << ", " << square.y
                         << ", side " << square.side << ")."
                         << (untouched ? "\n  points[] is as it was. Are the points copied back from scratch[]?" : ""));
  return answer;
}

Points inside(Random& random, const Square& square, int count) {
  Points points;
  for (int i = 0; i < count; ++i) {
    points.push_back(static_cast<std::int32_t>(random.integer(square.x, square.x + square.side - 1)));
    points.push_back(static_cast<std::int32_t>(random.integer(square.y, square.y + square.side - 1)));
  }
  return points;
}

void check_predictions(const char* function, bool launches) {
  std::vector<std::int32_t> sides = {8, 8, 8, 8, 8, 1, 2, 16, 16, 256, 64, 128, 256};
  std::vector<std::int32_t> min_points = {1, 3, 4, 16, 64, 1, 1, 7, 256, 1, 100, 64, 65536};
  for (int i = 0; i < 5; ++i) {
    sides.push_back(1 << test_random().integer(0, 7));
    min_points.push_back(static_cast<std::int32_t>(test_random().size(1, 65536)));
  }
  const Answer answer = grade(call(function, {each("sides", sides), each("min_points", min_points)}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == sides.size());
  Random random(1);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Totals totals = totals_of(equidistant(random, sides[i]), min_points[i], 17);
    const int expected = launches ? totals.inner : totals.levels;
    if (found[i] != expected)
      WB_FAIL_CALL(function << "(" << sides[i] << ", " << min_points[i] << ")", found[i],
                   ", but it is " << expected << ".\n  The root has " << sides[i] * sides[i]
                                  << " points. Each split divides them by four, and a square with " << min_points[i]
                                  << " or fewer is not split."
                                  << (launches ? " Every square that is split launches once." : ""));
  }
}

}  // namespace

// ---- Questions

WB_LAB_TEST(correctness, 5, "the number of levels is that of the tree") { check_predictions("predict_levels", false); }

WB_LAB_TEST(correctness, 5, "the number of launches is that of the tree") {
  check_predictions("predict_launches", true);
}

// ---- Part 1

WB_LAB_TEST(correctness, 15, "one square is split into its quadrants") {
  const auto any = [](int low, int high) { return static_cast<int>(test_random().size(low, high)); };
  for (const int count : {1, 4, 0, 31, 32, 33, 127, 128, 129, 1000, 4099, any(130, kMostPoints - 1), kMostPoints})
    check_split(anywhere(test_random(), count), {});
  for (const Square square : {Square{32768, 16384, 16384}, {65534, 65534, 2}, {0, 512, 64}})
    check_split(inside(test_random(), square, 500), square);
  for (const std::int64_t schedule : other_orders()) check_split(anywhere(test_random(), 300), {}, schedule);
  check_split(inside(test_random(), {0, 0, 2}, 100), {});  // All in one quadrant.
}

WB_LAB_TEST(counters, 10, "the lanes of a warp read points that lie side by side") {
  const Answer answer = check_split(anywhere(test_random(), 8192), {});
  require_at_most(
      answer, Quantity::global_load_sectors_ratio, 1.05,
      "32 points side by side are 256 bytes: 8 sectors. If each thread walks through points of its own, the "
      "lanes of a warp are far apart.");
  require_at_most(answer, Quantity::global_load_bytes, 8.0 * 8 * 8192,
                  "The mean over all loads is right. But to count the points, to move them and to copy them back takes "
                  "three loads of 8192 points, 8 bytes each; eight are allowed.");
  require_at_most(answer, Quantity::global_load_requests, 8.0 * 8192 / 32,
                  "A warp reads 32 points at a time. Lanes that read one after another make many small requests "
                  "instead.");
}

// ---- Part 2

WB_LAB_TEST(correctness, 10, "equidistant points give the known trees") {
  check_tree(equidistant(test_random(), 8), 1, 2);  // The root alone is split; the next trees have more levels.
  check_tree(equidistant(test_random(), 8), 1, 3);
  check_tree(equidistant(test_random(), 8), 16, 3);
  for (const int min_points : {1, 3, 4, 15, 16, 63, 64}) check_tree(equidistant(test_random(), 8), min_points, 16);
  check_tree(equidistant(test_random(), 16), 1, 16);
}

WB_LAB_TEST(correctness, 15, "any points give a right tree") {
  check_tree(anywhere(test_random(), 1000), 8, 16);
  check_tree(crowded(test_random(), 1500), 4, 16);
  for (const std::int64_t schedule :
       other_orders())  // Other orders, in which a child may run before its parent has gone on.
    check_tree(tree_case(crowded(test_random(), 400), 6, 16).set(kScheduleSeed, schedule));
  check_tree({0, 0, 65535, 65535, 0, 65535, 65535, 0, 32767, 32767, 32768, 32768, 32767, 32768}, 1, 16);
  for (const int count : {0, 1, 2, 7, 8, 9, 33, 129}) check_tree(anywhere(test_random(), count), 8, 16);
  const int count = static_cast<int>(test_random().size(200, 4000));
  check_tree(anywhere(test_random(), count), static_cast<int>(test_random().size(1 + count / 200, kMostPoints)), 16);
}

WB_LAB_TEST(correctness, 5, "no branch is deeper than it may be") {
  check_tree({0, 0, 65535, 65535}, 1, 1);
  for (const int levels : {1, 2, 3, 5, static_cast<int>(test_random().integer(6, 15))})
    check_tree(anywhere(test_random(), 300), 1, levels);
  Points same;
  for (int i = 0; i < 40; ++i) same.insert(same.end(), {12345, 54321});
  check_tree(same, 1, 16);
}

WB_LAB_TEST(correctness, 5, "every tree is built anew, large ones too") {
  for (const int count : {static_cast<int>(test_random().size(3000, kMostPoints - 1)), kMostPoints}) {
    const int min_points = 8 + count / 100;  // Some 250 squares are split.
    Case given = tree_case(anywhere(test_random(), count), min_points, 16);
    if (count < kMostPoints) given.set("before", anywhere(test_random(), count));
    given.set("capacity", 4000);  // Two trees, of which only one is known here.
    check_tree(given);
  }
}

WB_LAB_TEST(counters, 8, "64 equidistant points take 21 launches in three levels") {
  const Answer answer = check_tree(equidistant(test_random(), 8), 1, 16);
  const char* const reason = "21 = 1 + 4 + 16 squares are split, and each of them launches one grid.";
  require_at_most(answer, Quantity::launches_by_kernels, 21, reason);
  require_at_least(answer, Quantity::launches_by_kernels, 21, reason);
  const char* const depth = "64, 16 and 4 points are split by the root, its children and theirs; 1 point is not.";
  require_at_most(answer, Quantity::launch_depth, 3, depth);
  require_at_least(answer, Quantity::launch_depth, 3, depth);
  require_at_most(answer, Quantity::launches_by_host, 2,
                  "The host launches one grid for the root, and may launch another one that prepares it.");
}

WB_LAB_TEST(counters, 7, "a square that is split launches one grid of four blocks") {
  const Answer answer = check_tree(crowded(test_random(), 1200), 6, 16);
  const Totals totals = totals_of(answer.given.array<std::int32_t>("points"), 6, 16);
  const std::string reason = std::to_string(totals.inner) + " squares of this tree are split.";
  require_at_most(answer, Quantity::launches_by_kernels, totals.inner, reason);
  require_at_least(answer, Quantity::launches_by_kernels, totals.inner, reason);
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (kernel.parent && kernel.grid[0] * kernel.grid[1] * kernel.grid[2] != 4)
      WB_FAIL("blocks_of_launch", "A launch of " << short_name(kernel.name) << " has " << kernel.grid[0]
                                                 << " blocks in x; it must have four, "
                                                 << "one for each child.");
}

WB_LAB_TEST(time, 15, "the tree is built as fast as by the reference") {
  require_time(
      benchmark_case,
      [](const Case& given) {
        const Answer answer = check_tree(given);
        if (value_of(answer.profile, Quantity::tail_launches).value_or(0) > 0)
          WB_FAIL("tail_launch",
                  "Grids were launched in the tail of their parent: such a grid waits for its whole parent and for all "
                  "that "
                  "this launched.\n  No square needs the result of another one: launch in cudaStreamFireAndForget.");
      },
      1.25, 4.0);
}

WB_LAB_BENCHMARK {
  Case given = tree_case(anywhere(random, 4096), 8, 16);
  return with_mirrored_points(given);
}
