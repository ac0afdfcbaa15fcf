// The tests of exercise fences: two sums in a row, in every order, and what can be seen.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static void check(std::size_t count, std::int64_t order = 0) {
  const std::size_t blocks = (count + 255) / 256;
  const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
  std::vector arguments = {input("in", in), output<std::int32_t>("sums", blocks), filled<std::int32_t>("done", 1, 0),
                           output<std::int32_t>("out", 1), number("count", count)};
  Case given = call("add_up", arguments);
  arguments[3] = output<std::int32_t>("second", 1);
  given = then(given, "add_up", arguments);
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  if (answer.profile.kernels.size() > 2) WB_FAIL("launches", "One launch: the last block adds the sums.");
  const std::vector<std::int32_t> sum = {std::accumulate(in.begin(), in.end(), 0)};
  require_equal(answer, "out", sum);
  require_equal(answer, "second", sum);
  require_at_least(answer, Quantity::global_atomic_requests, blocks * 2, "Each block increments *done.");
}

WB_LAB_TEST(correctness, 8, "sums are right, twice in a row and in every order") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
  for (const std::int64_t order : other_orders()) check(2000, order);
}

WB_LAB_TEST(correctness, 5, "what fences forbid is predicted") {
  const std::vector<std::int32_t> as = {1, 1, 1, 10, 10, 10, 2, 2, 2}, bs = {2, 20, 1, 2, 20, 1, 2, 20, 1};
  const std::vector<std::string> why = {"Without a fence a thread's accesses may be seen, or made, in any order."};
  const auto of = [&](int n) { return std::vector{each("fences", std::vector(9, n)), each("as", as), each("bs", bs)}; };
  // No run shows everything that may happen.
  for (int n = 0; n < 3; ++n) require_returned(grade(call("possible", of(n))), {1, 1, 0, 1, 1, 0, 0, 0, 0}, why);
  require_machine_agrees("possible", of(3), why);
}
