// The tests of exercise since_cuda_12: results in every order, launches, and what nvcc says of calls in kernels.
#include "labs/dynamic_parallelism/since_cuda_12/since_cuda_12.h"

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
static Answer check(std::size_t count, std::int64_t order, bool inverts = false) {
  auto data = test_random().array<std::int32_t>(count, -1000, 1000);
  Case given = call("port", {input("in", data), output<std::int32_t>("data", count), number("count", count)});
  for (const Moment moment : {Moment::child(), Moment::tail()})
    if (inverts) change(given, moment, "data", std::vector<std::int32_t>{-1}, ChangeBy::inverting, kWhole);
  const Answer answer = grade(order != 0 ? given.set(kScheduleSeed, order) : given);
  const auto seen = [&](Moment at, int x) { return inverts && was_changed(answer, at) ? ~x : x; };
  for (std::int32_t& x : data) x = 2 * seen(Moment::tail(), seen(Moment::child(), x * x) + 1);
  require_equal(answer, "data", data);
  return answer;
}
WB_LAB_TEST(correctness, 5, "results are right in every order") {
  for (const std::size_t count : usual_sizes(1, 1024)) check(count, 0);
  for (const std::int64_t order : other_orders()) check(1000, order);
}
WB_LAB_TEST(counters, 2, "the parent launches twice, the host once") {
  const Answer answer = check(1000, 0, true);
  require_at_most(answer, Quantity::launches_by_host, 1, "The host launches the parent, and nothing else.");
  require_at_most(answer, Quantity::launch_depth, 1, "The parent launches both: a child launches nothing.");
  require_at_least(answer, Quantity::launches_by_kernels, 2, "The parent launches both: to add and to double.");
  require_at_most(answer, Quantity::launches_by_kernels, 2, "Launches without an if are made by every thread.");
}
WB_LAB_TEST(correctness, 5, "what nvcc says of calls in kernels is predicted") {
  require_predicted("says", compile_program(kProgram, CompileFor::relocatable_device));
}
