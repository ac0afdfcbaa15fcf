// The tests of exercise grid_stride: sums of every size, by a grid as large as the GPU, along memory.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count, std::int64_t order = 0) {
  const auto in = test_random().array<std::int32_t>(count, 0, 500);
  Case given = call("add_up", {input("in", in), filled<std::int32_t>("sum", 1, 0), number("count", count)});
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  require_default_stream(answer);
  require_equal(answer, "sum", std::vector<std::int32_t>{std::accumulate(in.begin(), in.end(), 0)});
  return answer;
}

WB_LAB_TEST(correctness, 2, "how many elements a thread adds is predicted") {
  const std::vector<std::int32_t> counts = {0, 1, 1024, 1025, 1 << 22}, expected = {0, 1, 1, 2, 4096};
  require_returned(grade(call("most_for_a_thread", {each("counts", counts), number("threads", 1024)})), expected,
                   {"Thread 0 adds elements 0, 1024, 2048, ..., as far as there are elements."});
}

WB_LAB_TEST(correctness, 4, "sums of every size are right") {
  check(0);
  for (const std::size_t count : usual_sizes(1, 1 << 22)) check(count);
  for (const std::int64_t order : other_orders()) check(5000, order);
}

WB_LAB_TEST(counters, 4, "the grid is as large as the GPU, but no larger than the data") {
  const Answer large = check(1 << 21);
  require_at_most(large, Quantity::kernel_launches, 1, "One launch is enough.");
  require_at_most(large, Quantity::global_atomic_requests, 132 * 64, "Each thread has one sum to add in the end.");
  const std::string reason = "An H200 runs 2048 threads at a time on each of its 132 multiprocessors.";
  require_at_least(large, Quantity::launched_threads, 132 * 1024, reason + " Take at least half of them.");
  require_at_most(large, Quantity::launched_threads, 132 * 2048, reason);
  require_at_most(check(1000), Quantity::launched_threads, 1000 + 1024, "There are 1000 elements to add.");
}

WB_LAB_TEST(counters, 2, "neighbouring lanes add neighbouring elements") {
  const Answer answer = check(1 << 21);
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0,
                  "32 ints side by side lie in 4 sectors of 32 bytes.");
  require_at_most(answer, Quantity::global_load_bytes, 1.2 * 4 * (1 << 21), "Each element is to be loaded once.");
}
