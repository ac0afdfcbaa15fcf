// The tests of exercise atomics_by_cas: sums in every order, with NaN too; predictions of other atomics.
#include <cmath>
#include <limits>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer sum_of(const std::vector<double>& in, double before, std::int64_t order = 0) {
  Case given = call("add_up", {input("in", in), in_out("sum", std::vector{before}), number("count", in.size())});
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  require_no_reductions(answer, "Use atomicCAS() instead.");
  require_swaps(answer, 1);
  return answer;
}

WB_LAB_TEST(correctness, 5, "sums are exact in every order") {
  for (const std::size_t count : usual_sizes(1, 4096)) {
    std::vector<double> in(count);
    std::iota(in.begin(), in.end(), -100.0);
    require_equal(sum_of(in, 7), "sum", std::vector{std::accumulate(in.begin(), in.end(), 7.0)});
  }
  for (const std::int64_t order : other_orders())
    require_equal(sum_of(std::vector<double>(200, 0.5), 0, order), "sum", std::vector{100.0});
}

WB_LAB_TEST(correctness, 1, "NaN makes the sum NaN and traps no thread in a loop") {
  const double sum = sum_of({1, std::numeric_limits<double>::quiet_NaN(), 2}, 0).output<double>("sum").at(0);
  if (!std::isnan(sum)) WB_FAIL("nan_lost", "The sum of 1, NaN and 2 is " << sum << ". It must be NaN.");
}

WB_LAB_TEST(correctness, 4, "what other atomics make of a value is predicted") {
  std::vector<std::int32_t> kinds, counts, ns;
  for (int i = 0; i < 180; ++i) {
    kinds.push_back(i % 9), ns.push_back(i < 90 ? 3 : test_random().integer(0, 100));
    counts.push_back(i < 90 ? i / 9 + 1 : i == 97 ? 3000 : test_random().integer(1, 4096));
  }
  require_machine_agrees(
      "predict", {each("kinds", kinds), each("counts", counts), each("ns", ns)},
      {"atomicInc goes from n to 0, atomicDec from 0 to n. A comparison fails once x is not 0. Each sum of "
       "halves is rounded. No value of atomicExch is lost or returned twice."});
}
