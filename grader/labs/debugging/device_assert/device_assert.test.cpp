// The tests of exercise device_assert: what assertions catch, and what they cost.
#include "grader/judge/expected_fault.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

struct Shares {
  std::vector<std::int32_t> parts, totals, shares;
  explicit Shares(std::size_t count) : totals(test_random().array<std::int32_t>(count, 1, 1 << 24)) {
    for (std::size_t i = 0; i < count; ++i) {
      parts.push_back(i % 7 == 0 ? totals[i] : test_random().integer(0, totals[i]));
      shares.push_back(100 * parts[i] / totals[i]);
    }
  }
  Case case_of(int is_debug) const {
    return call("percentages",
                {input("parts", parts), input("totals", totals), output<std::int32_t>("shares", parts.size()),
                 number("count", parts.size()), each("is_debug", std::vector{is_debug})});
  }
};

static Answer check(const Case& given, const std::vector<std::int32_t>& shares) {
  const Answer answer = grade(given);
  require_returned(answer, {0}, {"These elements are right, or the release build does not look."});
  require_equal(answer, "shares", shares);
  return answer;
}

WB_LAB_TEST(correctness, 4, "shares are right in both builds") {
  for (const std::size_t count : usual_sizes(1, 1 << 18))
    for (const Shares given(count); const int is_debug : {0, 1}) check(given.case_of(is_debug), given.shares);
}

WB_LAB_TEST(correctness, 5, "the debug build stops at what is wrong, the release build goes on") {
  for (const auto& [part, total] : {std::pair{1, 0}, {-1, 5}, {6, 5}, {-3, -3}, {0, -7}, {0, 0}}) {
    Shares given(300);
    given.parts[290] = part, given.totals[290] = total;
    require_returned(grade(given.case_of(1).set(kExpectedFault, "assertion")), {710}, {"An element is wrong."});
    given.shares[290] = grade(given.case_of(0)).output<std::int32_t>("shares")[290];
    check(given.case_of(0), given.shares);
  }
}

WB_LAB_TEST(counters, 3, "the release build costs nothing more") {
  const Shares given(1 << 16);
  require_at_most(check(given.case_of(0), given.shares), Quantity::warp_instructions, 2048 * 14,
                  "A warp needs 13 instructions for its two loads, the division and the store.");
}
