// The tests of exercise atomics_by_cas: sums, with NaN too; all atomics; predictions that the machine answers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer sum_of(const std::vector<double>& in, double before, std::int64_t order = 0) {
  Case given = call("add_up", {input("in", in), in_out("sum", std::vector{before}), number("count", in.size())});
  return grade(order == 0 ? given : given.set(kScheduleSeed, order));
}
WB_LAB_TEST(correctness, 4, "sums are exact, and NaN keeps no thread for ever") {
  for (const std::size_t count : usual_sizes(1, 4096)) {
    std::vector<double> in(count);
    std::iota(in.begin(), in.end(), -100.0);
    require_equal(sum_of(in, 7), "sum", std::vector{std::accumulate(in.begin(), in.end(), 7.0)});
  }
  for (const std::int64_t order : other_orders())
    require_equal(sum_of(std::vector<double>(200, 0.5), 0, order), "sum", std::vector{100.0});
  const Answer answer = sum_of({1, std::numeric_limits<double>::quiet_NaN(), 2}, 0);
  if (const double sum = answer.output<double>("sum").at(0); !std::isnan(sum))
    FAIL("The sum of 1, NaN and 2 is " << sum << ". It must be NaN.");
}

static Case apply_of(const std::vector<std::uint32_t>& in, const std::vector<std::uint32_t>& values, int limit) {
  return call("apply", {input("in", in), in_out("values", values), output<std::uint32_t>("old", in.size()),
                        filled<std::uint16_t>("half", 1, 0), number("count", in.size()), number("limit", limit)});
}
static int half_in(const Answer& answer) {
  const int bits = answer.output<std::uint16_t>("half").at(0);  // A sign, 5 bits of exponent, 10 of fraction.
  return static_cast<int>(std::ldexp(1024 + bits % 1024, bits / 1024 - 25));
}

WB_LAB_TEST(correctness, 5, "every atomic does what the host does in a row") {
  for (const std::size_t count : usual_sizes(1, 4096)) {
    const auto in = test_random().array<std::uint32_t>(count, 0, ~0u);
    auto before = test_random().array<std::uint32_t>(8, 0, ~0u), all = in;
    before[5] = test_random().integer(0, 20), before[6] = test_random().integer(0, 20);
    const Answer answer = grade(apply_of(in, before, 9));
    auto right = before;
    for (const std::uint32_t value : in) {
      right[0] = std::min(right[0], value), right[1] = std::max(right[1], value);
      right[2] &= value, right[3] |= value, right[4] ^= value;
      right[5] = right[5] >= 9 ? 0 : right[5] + 1, right[6] = right[6] == 0 || right[6] > 9 ? 9 : right[6] - 1;
    }
    right[7] = answer.output<std::uint32_t>("values").at(7);  // The last that came: with `old` they are all there were.
    require_equal(answer, "values", right);
    auto exchanged = answer.output<std::uint32_t>("old");
    exchanged.push_back(right[7]), all.push_back(before[7]);
    std::sort(exchanged.begin(), exchanged.end()), std::sort(all.begin(), all.end());
    if (exchanged != all) FAIL("'old' and values[7] are not the elements of 'in' and what was in values[7] before.");
    if (const int found = half_in(answer), least = std::min<int>(count, 2048); found != least)
      FAIL("*half is " << found << " after " << count << " additions of 1, but atomics get to " << least << ".");
  }
}

WB_LAB_TEST(correctness, 5, "what the machine answers is predicted") {
  std::vector<std::int32_t> kinds, counts, limits, right;
  const auto ask = [&](int kind, int count, int limit, int answer) {
    kinds.push_back(kind), counts.push_back(count), limits.push_back(limit), right.push_back(answer);
  };
  for (int i = 0; i < 10; ++i) ask(5, i + 1, 3, (i + 1) % 4), ask(6, i + 1, 3, 3 - i % 4);
  ask(8, 3000, 0, 2048);
  for (int i = 0; i < 5; ++i) {
    const int count = test_random().size(1, 4096), limit = test_random().integer(0, 100);
    const std::vector<std::uint32_t> in(count), zeros(8);
    const Answer machine = grade_reference(apply_of(in, zeros, limit));
    for (const int kind : {5, 6}) ask(kind, count, limit, machine.output<std::uint32_t>("values").at(kind));
    ask(8, count, limit, half_in(machine));
  }
  const Answer answer = grade(call("predict", {each("kinds", kinds), each("counts", counts), each("limits", limits)}));
  for (std::size_t i = 0; i < right.size(); ++i)
    if (const int found = answer.output<std::int32_t>(kReturned).at(i); found != right[i])
      FAIL("predict(" << kinds[i] << ", " << counts[i] << ", " << limits[i] << ") returned " << found
                      << ", but the machine answers " << right[i] << ".");
}
