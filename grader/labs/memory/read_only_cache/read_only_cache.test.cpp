// The tests of exercise read_only_cache: products, each element loaded once, and what may be loaded so.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count) {
  const auto in = test_random().array<std::int32_t>(count, -10'000, 10'000);
  const auto gains = test_random().array<std::int32_t>(4, -1000, 1000);
  std::vector<std::int32_t> expected;
  for (const std::int32_t gain : gains)
    for (const std::int32_t value : in) expected.push_back(gain * value);
  const Answer answer = grade(call("scale", {input("in", in), input("gains", gains),
                                             output<std::int32_t>("out", 4 * count), number("count", count)}));
  require_equal(answer, "out", expected, {4, count});
  return answer;
}

WB_LAB_TEST(correctness, 2, "every product is right") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
}

WB_LAB_TEST(counters, 4, "an element is loaded once for four products") {
  const Answer answer = check(1 << 14);
  require_at_most(answer, Quantity::global_load_requests, 5 * (1 << 14) / 32.0,
                  "A warp needs one load for its elements and one for each of the four gains.");
  require_at_least(answer, Quantity::global_store_requests, 4 * (1 << 14) / 32.0, "A warp stores four times.");
}

WB_LAB_TEST(correctness, 3, "what may be loaded through the read-only cache is known") {
  const std::vector<std::int32_t> loads = {1, 2, 3, 4, 5, 6}, expected = {1, 1, 0, 1, 0, 0};
  require_returned(grade(call("may_be_read_only", {each("loads", loads)})), expected,
                   {"That is what the two words promise.", "__ldg() is the promise for one load.",
                    "The cache may hold what was there before: it is not told of writes while the kernel runs.",
                    "A kernel begins with a cache that holds nothing old.",
                    "The cache may hold what was there before, even if the thread itself has written since.",
                    "The promise is broken, and the compiler relies on it."});
}
