// The tests of exercise thrust_sort: orders with many equal elements, digits in place of comparisons, predictions.
#include <algorithm>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check_sort(std::size_t count) {
  auto values = test_random().array<float>(count, -1000, 1000);
  const Case given = call("sort_descending", {in_out("values", values), number("count", count)});
  std::sort(values.begin(), values.end(), std::greater<float>());
  const Answer answer = grade(given);
  require_equal(answer, "values", values);
  return answer;
}

WB_LAB_TEST(correctness, 4, "values are sorted, the largest first") {
  for (const std::size_t count : usual_sizes(1, 1 << 13)) check_sort(count);
}

WB_LAB_TEST(counters, 2, "values are sorted digit by digit") {
  for (const KernelRecord& kernel : check_sort(1 << 13).profile.kernels)
    if (kernel.name.find("RadixSort") != std::string::npos) return;
  WB_FAIL("no_radix_sort", "No kernel of a radix sort ran. Thrust sorts by digits only with its own comparisons.");
}

WB_LAB_TEST(correctness, 5, "players are ranked, and equal ones keep their order") {
  for (const std::size_t count : usual_sizes(1, 1 << 13)) {
    const auto players = test_random().array<std::int32_t>(4 * count, 0, 20);  // Number, points, time, team of each.
    const auto key = [&](std::size_t i) { return std::pair(-players[4 * i + 1], players[4 * i + 2]); };
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto one, auto other) { return key(one) < key(other); });
    std::vector<std::int32_t> ranked;
    for (const std::size_t i : order) ranked.insert(ranked.end(), players.begin() + 4 * i, players.begin() + 4 * i + 4);
    const Case given = call("rank", {in_out("players", players), number("count", count)});
    require_equal(grade(given), "players", ranked, {count, 4});
  }
}

WB_LAB_TEST(correctness, 2, "which sorts go by digits is predicted") {
  const std::vector<std::int32_t> what = {0, 1, 2, 3, 4, 5}, expected = {1, 1, 0, 0, 1, 1};
  require_returned(grade(call("sorts_by_digits", {each("what", what)})), expected,
                   {"Can the library know what your functor does?"});
}
