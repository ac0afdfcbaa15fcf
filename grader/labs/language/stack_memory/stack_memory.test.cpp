// The tests of exercise stack_memory: rows of all lengths, the limit of the stack, and predictions.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

namespace {

void check_rows(std::size_t count, std::size_t width) {
  const auto lengths = test_random().array<std::int32_t>(count, 0, static_cast<int>(width));
  auto rows = test_random().array<std::int32_t>(count * width, -1000, 1000);
  const auto before = rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int j = static_cast<int>(i % width), n = lengths[i / width];
    if (j < n) rows[i] += (j > 0 ? before[i - 1] : 0) + (j + 1 < n ? before[i + 1] : 0);
  }
  const auto limit = [](int bytes) { return std::vector{number("limit " + std::to_string(bytes), bytes)}; };
  const int bytes = 16 * test_random().integer(65, 100);
  Case given =
      then(call("machine.stack_memory.limit", limit(bytes)), "smooth_rows",
           {input("lengths", lengths), in_out("rows", before), number("width", width), number("count", count)});
  const Answer answer = grade(then(given, "machine.stack_memory.limit", limit(0)));
  require_equal(answer, "rows", rows);
  // The first and the last number of a row may stay in registers.
  require_on_stack(answer, 4.0 * (std::accumulate(lengths.begin(), lengths.end(), 0) - 2 * static_cast<int>(count)));
  if (const int left = answer.output<std::int32_t>(kReturned).at(0); left != bytes)
    WB_FAIL("limit_changed", "cudaLimitStackSize was " << bytes << " before, and is " << left << " afterwards.");
}

}  // namespace

WB_LAB_TEST(correctness, 4, "stack memory of any size is taken") {
  for (const std::size_t count : usual_sizes(1, 1000)) check_rows(count, 30);
}

WB_LAB_TEST(correctness, 2, "the stack is as large as the rows need") { check_rows(100, 2000), check_rows(70, 700); }

WB_LAB_TEST(correctness, 3, "stacks are predicted") {
  require_machine_agrees("predict", {each("questions", std::vector{1, 2, 3, 4, 5, 6})},
                         {"It is aligned to 16 bytes.", "So is every allocation.", "Nothing is freed in between.",
                          "It is freed when the function returns.", "It lasts until the function returns.",
                          "Each thread has a stack of its own, in which the same address is another place."});
}
