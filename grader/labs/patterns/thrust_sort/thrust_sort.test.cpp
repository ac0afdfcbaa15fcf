// The tests of exercise thrust_sort: orders with many equal elements, digits in place of comparisons, predictions.
#include <algorithm>
#include <array>

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
  WB_FAIL("no_radix_sort", "No kernel of a radix sort ran. The library sorts by digits only in orders of its own.");
}

WB_LAB_TEST(correctness, 5, "players are ranked, and equal ones keep their order") {
  using Player = std::array<std::int32_t, 4>;  // Number, points, time, team.
  for (const std::size_t count : usual_sizes(1, 1 << 13)) {
    std::vector<Player> players(count);
    for (std::size_t i = 0; i < count; ++i)
      players[i] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(test_random().integer(0, 20)),
                    static_cast<std::int32_t>(test_random().integer(0, 9)),
                    static_cast<std::int32_t>(test_random().integer(0, 99))};
    const auto numbers = [&] {
      std::vector<std::int32_t> all;
      for (const Player& player : players) all.insert(all.end(), player.begin(), player.end());
      return all;
    };
    const Case given = call("rank", {in_out("players", numbers()), number("count", count)});
    std::stable_sort(players.begin(), players.end(), [](const Player& one, const Player& other) {
      return one[1] != other[1] ? one[1] > other[1] : one[2] < other[2];
    });
    require_equal(grade(given), "players", numbers(), {count, 4});
  }
}

WB_LAB_TEST(correctness, 2, "which sorts go by digits is predicted") {
  const std::vector<std::int32_t> what = {0, 1, 2, 3, 4, 5}, expected = {1, 1, 0, 0, 1, 1};
  require_returned(grade(call("sorts_by_digits", {each("what", what)})), expected,
                   {"Can the library know what your functor does?"});
}
