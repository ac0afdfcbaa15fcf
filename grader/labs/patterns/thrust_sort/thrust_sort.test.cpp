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
  WB_FAIL("no_radix_sort", "No kernel of a radix sort ran. The library sorts by digits only in orders of its own.");
}

WB_LAB_TEST(correctness, 5, "players are ranked, equal ones by their numbers") {
  for (const std::size_t count : usual_sizes(1, 1 << 13)) {
    const auto points = test_random().array<std::int32_t>(count, 0, 20),
               times = test_random().array<std::int32_t>(count, 0, 9);
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int one, int other) {
      return points[one] != points[other] ? points[one] > points[other] : times[one] < times[other];
    });
    const Case given = call("rank", {input("points", points), input("times", times),
                                     output<std::int32_t>("order", count), number("count", count)});
    require_equal(grade(given), "order", order);
  }
}

WB_LAB_TEST(correctness, 2, "which sorts go by digits is predicted") {
  const std::vector<std::int32_t> what = {0, 1, 2, 3, 4, 5}, expected = {1, 1, 0, 0, 1, 1};
  require_returned(grade(call("sorts_by_digits", {each("what", what)})), expected,
                   {"Can the library know what your functor does?"});
}
