// The tests of exercise backoff_mutex: totals of every thread, in every order, and how long sleep may take.
#include <algorithm>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count, std::int64_t order = 0) {
  const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
  const auto before = test_random().array<std::int32_t>(3, -1000, 1000);
  Case given = call("record", {input("in", in), in_out("totals", before), filled<std::int32_t>("lock", 1, 0),
                               number("count", count)});
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  require_equal(answer, "totals",
                std::vector{std::accumulate(in.begin(), in.end(), before[0]), before[1] + std::int32_t(count),
                            std::max(before[2], *std::max_element(in.begin(), in.end()))});
  require_equal(answer, "lock", std::vector<std::int32_t>{0});
  require_at_least(answer, Quantity::global_atomic_requests, 2.0 * count,
                   "Each thread takes the lock and releases it.");
  require_no_reductions(answer, "The owner of the lock is alone: it loads, changes and stores the totals.");
  return answer;
}

WB_LAB_TEST(correctness, 7, "every thread owns the lock once") {
  for (const std::size_t count : usual_sizes(1, 100)) check(count);
  for (const std::int64_t order : other_orders()) check(40, order);
}

WB_LAB_TEST(correctness, 4, "how long threads may sleep is predicted") {
  // Constants: a run shows how long one sleep was, not the bounds that PTX promises.
  std::vector<std::int32_t> asked, slept, expected;
  for (int i = 0; i < 200; ++i) {
    asked.push_back(i % 3 == 0 ? test_random().integer(400'000, 5'000'000) : test_random().size(1, 300'000));
    slept.push_back(i % 2 == 0 ? test_random().size(1, 2'000'000) : 2 * asked[i] - 3 + test_random().integer(0, 6));
    expected.push_back(slept[i] >= 0 && slept[i] <= std::min(2 * asked[i], 1'000'000));
  }
  require_returned(grade(call("may_sleep", {each("asked", asked), each("slept", slept)})), expected,
                   {"Up to twice as long as asked for, and up to a millisecond."});
}
