// The tests of exercise error_handling: right squares, and the errors that are told.
#include "grader/judge/expected_fault.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static void check(std::size_t count, const std::vector<std::int32_t>& threads) {
  const auto in = test_random().array<std::int32_t>(count, -40'000, 40'000);
  std::vector<std::int32_t> squares, returned;
  for (const std::int32_t value : in) squares.push_back(value * value);
  for (const std::int32_t size : threads) returned.push_back(size > 1024 ? 1 : 0);
  const Answer answer = grade(call("squares", {input("in", in), output<std::int32_t>("out", count),
                                               number("count", count), each("threads", threads)}));
  require_returned(answer, returned, {"What does a launch leave for cudaGetLastError(), and how often do you ask?"});
  require_equal(answer, "out", squares);
}

WB_LAB_TEST(correctness, 4, "the two bugs are repaired") {
  for (const std::size_t count : usual_sizes(1, 1 << 16))
    check(count, {static_cast<int>(test_random().integer(1, 1024))});
}

WB_LAB_TEST(correctness, 4, "a launch that is refused is told, and the next one runs") {
  check(1000, {1025, 256, 4096, 1024});
}

WB_LAB_TEST(counters, 3, "a fault of the kernel is told") {
  Case given = call("squares", {input("in", std::vector(1 << 16, 3)), output<std::int32_t>("out", 1 << 10),
                                number("count", 1 << 16), each("threads", std::vector{128})});
  require_returned(grade(given.set(kExpectedFault, "out_of_bounds")), {700}, {"Which call waits for the kernel?"});
}

WB_LAB_TEST(correctness, 4, "the two bugs are found") {
  const Case given = call("found", {each("bugs", std::vector{0, 0, 1, 1}), each("places", std::vector{0, 1, 0, 1})});
  require_returned(grade(given), {1, 1, 700, 3}, {"A bad copy fails at once; a kernel's fault shows when you wait."});
}
