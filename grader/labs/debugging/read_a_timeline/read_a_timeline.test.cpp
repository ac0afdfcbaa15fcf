// The tests of exercise read_a_timeline: what waits without need, and the same steps without that.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;
using Steps = std::vector<std::uint32_t>;

static Case process_case(Random& random, int unit) {
  const auto in = random.array<std::uint32_t>(256, 0, 1'000'000);
  return call("process", {input("in", in), output<std::uint32_t>("work", 1024), output<std::uint32_t>("out", 256),
                          number("unit", unit)});
}

static void check(const Case& given) {
  const auto step = [](Steps a, const Steps& b, std::int64_t rounds) {
    for (std::size_t t = 0; t < 256; ++t) {
      a[t] += 3 * b[t];
      for (std::uint32_t i = 0; i < rounds; ++i) a[t] = a[t] * a[t] + i;
    }
    return a;
  };
  const auto in = given.array<std::uint32_t>("in");
  const auto unit = given.integer("unit");
  const Steps c = step(step(in, in, 2 * unit), step(in, in, 3 * unit), unit);
  require_equal(grade(given), "out", step(c, step(in, in, 5 * unit), unit));
}

WB_LAB_TEST(correctness, 4, "what waits without need is known") {
  const std::vector<std::int32_t> steps = {'B', 'C', 'D', 'E'};
  const Answer answer = grade(call("reason", {each("steps", steps)}));
  // E begins 7 us after C: as soon as it can, as the host launches it, or later, as the host launches it only then.
  const bool late = answer.output<std::int32_t>(kReturned).at(3) == 1;
  require_returned(
      answer, std::vector<std::int32_t>{1, 3, 3, late ? 1 : 0},
      {"B: the host waits for A, which B does not need.", "C: it is launched, and A and B have ended, but D runs.",
       "D: it is launched right after B, and needs nothing.", "E: C ends just before."});
}

WB_LAB_TEST(correctness, 4, "every step has what it needs") {
  for (const int unit : {0, 1, 500}) check(process_case(test_random(), unit));
  for (const std::int64_t order : other_orders()) check(process_case(test_random(), 50).set(kScheduleSeed, order));
}

WB_LAB_TEST(time, 4, "steps that need not wait overlap") { require_time(benchmark_case, check, 1.15, 1.9); }

WB_LAB_BENCHMARK { return process_case(random, 10'000); }
