// The tests of exercise loop_unrolling: every number of steps, few instructions for each, and how many there are.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count, int steps) {
  const auto in = test_random().array<std::int32_t>(count, -1'000'000, 1'000'000);
  const int c = static_cast<int>(test_random().integer(-1000, 1000));
  std::vector<std::int32_t> expected;
  for (const std::int32_t value : in) {
    std::uint32_t x = value;
    for (int step = 0; step < steps; ++step) x = x * x + static_cast<std::uint32_t>(c);
    expected.push_back(static_cast<std::int32_t>(x));
  }
  const Answer answer = grade(call("iterate", {input("in", in), output<std::int32_t>("out", count),
                                               number("count", count), number("steps", steps), number("c", c)}));
  require_equal(answer, "out", expected);
  return answer;
}

WB_LAB_TEST(correctness, 3, "any number of steps is done") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) check(count, test_random().integer(0, 70));
  for (int steps = 0; steps <= 70; steps += steps < 18 ? 1 : 13) check(100, steps);
  check(64, 2000);
}

WB_LAB_TEST(counters, 5, "a step takes little more than its one instruction") {
  require_at_most(check(1 << 12, 1024), Quantity::warp_instructions, 128 * (1.5 * 1024 + 40),
                  "16 copies of the body share 3 instructions of the loop; #pragma unroll alone makes 4 where the "
                  "number of steps is not known. 40 more are for the rest of the kernel.");
}

WB_LAB_TEST(correctness, 3, "the instructions of an unrolled loop are predicted") {
  std::vector<std::int32_t> bodies, steps, ns, expected;
  for (int i = 0; i < 200; ++i) {
    const int body = test_random().integer(1, 50), all = test_random().integer(0, i < 100 ? 100 : 10'000);
    const int n = test_random().integer(1, 64);
    int found = 0;
    for (int left = all; left > 0; left -= left >= n ? n : 1) found += 3 + (left >= n ? n * body : body);
    bodies.push_back(body), steps.push_back(all), ns.push_back(n), expected.push_back(found);
  }
  require_returned(
      grade(call("instructions", {each("bodies", bodies), each("steps", steps), each("ns", ns)})), expected,
      {"Each iteration of either loop has 3 instructions beside its bodies, one of the second a single body."});
}
