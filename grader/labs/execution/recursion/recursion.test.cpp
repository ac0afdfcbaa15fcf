// The tests of exercise recursion: sums of every size and depth, by as many grids as there are parts, at the same time.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static int grids_of(int size, int depth) {
  if (size == 0 || depth == 0) return 0;
  return size == 1 ? depth : 1 + grids_of(size / 2, depth - 1) + grids_of(size - size / 2, depth - 1);
}

static Answer check(std::size_t size, int depth, std::int64_t order = 0) {
  const auto data = test_random().array<std::int32_t>(size, -1000, 1000);
  std::vector<std::int32_t> expected(data);
  for (std::int32_t& value : expected) value += depth * (depth + 1) / 2;
  Case given = call("add_levels", {in_out("data", data), number("size", size), number("depth", depth)});
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  require_equal(answer, "data", expected);
  return answer;
}

WB_LAB_TEST(correctness, 4, "every level is added once") {
  for (const std::size_t size : usual_sizes(1, 20'000)) check(size, test_random().integer(1, 6));
  check(7, 6), check(1, 6), check(20'000, 6), check(513, 1);
  for (const std::int64_t order : other_orders()) check(300, 3, order);
}

WB_LAB_TEST(counters, 5, "there are as many grids as parts, two of a block at a time") {
  for (const auto& [size, depth] : {std::pair{20'000, 2}, {1000, 5}, {5, 6}}) {
    const Answer answer = check(size, depth);
    const std::string reason = "A grid for each part of each level: one thread of a block launches both halves.";
    require_at_least(answer, Quantity::launches_by_kernels, grids_of(size, depth) - 1, reason);
    require_at_most(answer, Quantity::launches_by_kernels, grids_of(size, depth) - 1, reason);
    require_at_least(answer, Quantity::launch_depth, depth - 1, "Each level launches the next one.");
    require_at_most(answer, Quantity::launches_by_host, 1, "The host launches the grid for all elements.");
    require_at_least(answer, Quantity::children_at_a_time, 2, "The halves have nothing to do with each other.");
  }
}

WB_LAB_TEST(correctness, 3, "the number of grids is predicted") {
  std::vector<std::int32_t> sizes, depths, expected;
  for (int i = 0; i < 60; ++i) {
    sizes.push_back(test_random().size(1, 20'000)), depths.push_back(i % 20 + 1);
    expected.push_back(grids_of(sizes[i], depths[i]));
  }
  require_returned(grade(call("grids", {each("sizes", sizes), each("depths", depths)})), expected,
                   {"A part of one element has no first half, and goes on with its second one down to depth 1."});
}
