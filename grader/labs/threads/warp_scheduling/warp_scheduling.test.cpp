// The tests of exercise warp_scheduling: a log that can be true, of every warp once, and what is promised.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static void check(int blocks, int warps) {
  const std::size_t count = std::size_t(blocks) * warps;
  const Answer answer =
      grade(call("log_warps", {output<std::int32_t>("where", count), output<std::int64_t>("begin", count),
                               output<std::int64_t>("end", count), number("blocks", blocks), number("warps", warps)}));
  const auto where = answer.output<std::int32_t>("where");
  const auto begin = answer.output<std::int64_t>("begin"), end = answer.output<std::int64_t>("end");
  bool one = blocks >= 100;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string at = " of warp " + std::to_string(i % warps) + " of block " + std::to_string(i / warps);
    if (where[i] < 0 || where[i] >= 1024)
      WB_FAIL("number", "where" << at << " is " << where[i] << ", which is not the number of a multiprocessor.");
    one &= where[i] == where[0];
    if (where[i] != where[i / warps * warps])
      WB_FAIL("apart", "where" << at << " is " << where[i] << ", but a block runs on one multiprocessor.");
    if (end[i] - begin[i] < 1000)
      WB_FAIL("too_short", "end - begin" << at << " is " << end[i] - begin[i] << " cycles; it has to wait for 1000.");
  }
  if (one) WB_FAIL("all_on_one", "All blocks are logged on one multiprocessor: each warp must ask where it runs.");
}

WB_LAB_TEST(correctness, 8, "each warp is logged once, where and when it ran") {
  check(1, 1), check(3, 32), check(500, 1), check(132, 4);
  for (int i = 0; i < 3; ++i) check(test_random().size(1, 500), test_random().size(1, 32));
}

WB_LAB_TEST(correctness, 4, "what CUDA promises of warps is known") {
  const std::vector<std::int32_t> statements = {1, 2, 3, 4, 5, 6}, expected = {0, 1, 0, 0, 1, 0};
  require_returned(
      grade(call("promised", {each("statements", statements)})), expected,
      {"Blocks are independent: they may begin in any order.", "Warps of a block share its shared memory.",
       "Warps are scheduled as they are ready.", "A block that finds no room waits until others have ended.",
       "A block has all it needs from its beginning.",
       "Other warps run in between, and results take cycles to arrive: it counts the cycles that went by."});
}
