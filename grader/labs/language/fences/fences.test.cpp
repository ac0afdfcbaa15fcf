// The tests of exercise fences: two sums in a row, in every order, and what can be seen.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static void check(std::size_t count, std::int64_t order = 0) {
  const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
  std::vector<Argument> arguments = {input("in", in), output<std::int32_t>("sums", (count + 255) / 256),
                                     filled<std::int32_t>("done", 1, 0), output<std::int32_t>("out", 1),
                                     number("count", count)};
  Case given = call("add_up", arguments);
  arguments[3] = output<std::int32_t>("second", 1);
  given = then(given, "add_up", arguments);
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  if (answer.profile.kernels.size() > 2) WB_FAIL("launches", "One launch: the last block adds the sums.");
  const std::vector<std::int32_t> sum = {std::accumulate(in.begin(), in.end(), 0)};
  require_equal(answer, "out", sum);
  INFO("The second call begins with what the first one left in 'done'.");
  require_equal(answer, "second", sum);
}

WB_LAB_TEST(correctness, 8, "sums are right, twice in a row and in every order") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
  for (const std::int64_t order : other_orders()) check(2000, order);
}

WB_LAB_TEST(correctness, 5, "what fences forbid is predicted") {  // Constants: no run shows what cannot happen.
  std::vector<std::int32_t> fences, as, bs, expected;
  for (int i = 0; i < 36; ++i) {
    fences.push_back(i / 9), as.push_back(std::vector{1, 10, 2}[i / 3 % 3]), bs.push_back(std::vector{2, 20, 1}[i % 3]);
    const bool both = fences[i] == 3, late = as[i] == 1 && bs[i] == 20;
    expected.push_back(as[i] != 2 && bs[i] != 1 && !(both && late));
  }
  require_returned(grade(call("possible", {each("fences", fences), each("as", as), each("bs", bs)})), expected,
                   {"Without a fence in one of them, that thread's accesses may be seen, or made, in any order."});
}
