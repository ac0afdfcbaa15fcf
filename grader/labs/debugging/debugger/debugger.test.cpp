// The tests of exercise debugger: what the wrong kernel's variables were, and the right one.
#include <algorithm>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 6, "what the debugger shows is known") {
  std::vector<std::int32_t> expected(6);
  for (int block = 0; block < 4; ++block) {
    int tile[66] = {}, sums[64];  // As the skeleton's kernel works with main()'s elements.
    const auto in = [&](int t) {
      return 64 * block + t >= 0 && 64 * block + t < 200 ? (64 * block + t) * 37 % 101 : 0;
    };
    for (int t = -1; t <= 64; ++t) tile[t + 1] = in(t);
    if (block == 1) expected[3] = tile[1];
    tile[1] = in(31);
    for (int t = 0; t < 64; ++t) sums[t] = tile[t] + tile[t + 1] + tile[t + 2];
    if (block == 1) expected[0] = sums[1], expected[1] = 32, expected[2] = 2;
    if (block == 2) expected[4] = tile[5] + tile[6];
    for (int warp = 0; warp < 2; ++warp)
      expected[5] += *std::max_element(sums + 32 * warp, sums + 32 * warp + 32) > 200;
  }
  require_returned(grade(call("found", {each("questions", std::vector{0, 1, 2, 3, 4, 5})})), expected,
                   {"print sum says it.", "watch tile[1], reverse-continue: the debugger says who wrote it.",
                    "The line at which it stops.", "The debugger says the old value with the new one.",
                    "break at D if i == 133 && k == 2: the program stops before that line.",
                    "It stops once for each warp in which the condition holds for a thread."});
}

WB_LAB_TEST(correctness, 6, "every element is the sum of three") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) {
    const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
    std::vector<std::int32_t> out(in);
    for (std::size_t i = 1; i < count; ++i) out[i] += in[i - 1], out[i - 1] += in[i];
    require_equal(grade(call("smooth", {input("in", in), output<std::int32_t>("out", count), number("count", count)})),
                  "out", out);
  }
}
