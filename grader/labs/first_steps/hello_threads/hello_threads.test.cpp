// The tests of exercise hello_threads: block, warp and lane of every thread; which lines are printed in order.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 6, "every thread says its block, warp and lane") {
  std::vector<std::pair<int, int>> shapes = {{1, 1}, {2, 1}, {1, 2}, {3, 33}, {5, 1024}, {1000, 32}};
  for (int i = 0; i < 3; ++i) shapes.emplace_back(test_random().size(1, 1000), test_random().size(1, 1024));
  for (const auto& [blocks, threads] : shapes) {
    std::vector<std::int32_t> block, warp, lane;
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < threads; ++t) block.push_back(b), warp.push_back(t / 32), lane.push_back(t % 32);
    const std::size_t count = block.size();
    const Answer answer = grade(
        call("introduce", {output<std::int32_t>("block", count), output<std::int32_t>("warp", count),
                           output<std::int32_t>("lane", count), number("blocks", blocks), number("threads", threads)}));
    require_equal(answer, "block", block);
    require_equal(answer, "warp", warp);
    require_equal(answer, "lane", lane);
  }
}

WB_LAB_TEST(correctness, 4, "only what CUDA promises is taken for ordered") {
  const std::vector<std::int32_t> pairs = {1, 2, 3, 4, 5, 6}, expected = {1, 0, 0, 1, 0, 1};
  require_returned(
      grade(call("comes_first", {each("pairs", pairs)})), expected,
      {"One thread does one thing after the other.", "Lanes of a warp may diverge, and then run in any order.",
       "Blocks run in any order, and at the same time.", "Kernels of one stream run one after the other.",
       "A launch returns at once, before the kernel has run.",
       "The host has waited until the kernel had run, and its lines are printed by then."});
}
