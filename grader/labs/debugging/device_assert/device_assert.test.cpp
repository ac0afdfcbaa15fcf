// The tests of exercise device_assert: what assertions catch, what they cost, and what is left of them.
#include "grader/judge/expected_fault.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

/// Elements are right, except perhaps the last one, which is given: if it is wrong, its share may be anything.
static Answer check(std::size_t count, int is_debug, std::int32_t part, std::int32_t total) {
  auto totals = test_random().array<std::int32_t>(count, 1, 1 << 24), parts = totals, shares = totals;
  for (std::size_t i = 0; i < count; ++i) parts[i] = i % 7 == 0 ? totals[i] : test_random().integer(0, totals[i]);
  parts.back() = part, totals.back() = total;
  const bool is_wrong = total <= 0 || part < 0 || part > total, stops = is_wrong && is_debug == 1;
  Case given =
      call("percentages", {input("parts", parts), input("totals", totals), output<std::int32_t>("shares", count),
                           number("count", count), each("is_debug", std::vector{is_debug})});
  const Answer answer = grade(stops ? given.set(kExpectedFault, "assertion") : given);
  require_returned(answer, {stops ? 710 : 0}, {"The debug build stops at a wrong element."});
  if (stops) return answer;
  for (std::size_t i = 0; i < count - is_wrong; ++i) shares[i] = 100 * parts[i] / totals[i];
  if (is_wrong) shares.back() = answer.output<std::int32_t>("shares").back();
  require_equal(answer, "shares", shares);
  return answer;
}

WB_LAB_TEST(correctness, 3, "what the release build executes is predicted") {
  require_predicted("executes", {0, 0, 0, 0, 1, 1}, {"With NDEBUG, assert() is nothing. Is its condition in it?"});
}

WB_LAB_TEST(correctness, 4, "shares are right in both builds") {
  for (const std::size_t count : usual_sizes(1, 1 << 18))
    for (const int is_debug : {0, 1}) check(count, is_debug, 7, 7);
}

WB_LAB_TEST(correctness, 5, "the debug build stops at what is wrong, the release build goes on") {
  for (const auto& [part, total] : {std::pair{1, 0}, {-1, 5}, {6, 5}, {-3, -3}, {0, -7}, {0, 0}})
    for (const int is_debug : {0, 1}) check(300, is_debug, part, total);
}

WB_LAB_TEST(counters, 3, "the release build costs nothing more") {
  require_at_most(check(1 << 16, 0, 7, 7), Quantity::warp_instructions, 2048 * 14,
                  "A warp needs 13 instructions for its two loads, the division and the store.");
}
