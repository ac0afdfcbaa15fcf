// The tests of exercise barriers: counts of blocks, reversed warps, and predictions.
#include <algorithm>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count) {
  const std::size_t blocks = (count + 255) / 256;
  auto in = test_random().array<std::int32_t>(count, 1, 1000);
  for (std::size_t i = 0; i < count; i += test_random().integer(1, 600)) in[i] = -(test_random().bits() % 2);
  std::vector<std::int32_t> out(in), thirds(blocks), positive(blocks, 1), zeros(blocks);
  for (std::size_t i = 0; i < count; ++i) {
    thirds[i / 256] += in[i] % 3 == 0;
    if (in[i] <= 0) positive[i / 256] = 0;
    if (in[i] == 0) zeros[i / 256] = 1;
    if (i % 32 == 0) std::reverse(out.begin() + i, out.begin() + std::min(i + 32, count));
  }
  const Answer answer =
      grade(call("survey", {input("in", in), output<std::int32_t>("out", count), output<std::int32_t>("thirds", blocks),
                            output<std::int32_t>("positive", blocks), output<std::int32_t>("zeros", blocks),
                            number("count", count)}));
  require_equal(answer, "out", out);
  require_equal(answer, "thirds", thirds);
  require_equal(answer, "positive", positive);
  require_equal(answer, "zeros", zeros);
  return answer;
}

WB_LAB_TEST(correctness, 6, "blocks are counted and warps reversed") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
}

WB_LAB_TEST(counters, 3, "three barriers are enough") {
  const Answer answer = check(1 << 14);
  require_at_most(answer, Quantity::barriers_per_warp, 3, "A barrier that counts is still a barrier.");
  require_telling_barriers(answer, 2 * (1 << 14) / 32.0);
  require_at_least(answer, Quantity::shared_requests, 2 * (1 << 14) / 32.0, "Each element goes through shared memory.");
}

WB_LAB_TEST(correctness, 4, "what barriers tell is predicted") {
  std::vector<std::int32_t> kinds, threads, ns, rs;
  for (int i = 0; i < 200; ++i) {
    kinds.push_back(i % 3), threads.push_back(i < 3 ? 256 : test_random().size(1, 1024));
    ns.push_back(i < 3 ? 3 : test_random().size(1, 100)), rs.push_back(i < 100 ? 0 : test_random().integer(0, 100));
  }
  require_machine_agrees("predict", {each("kinds", kinds), each("threads", threads), each("ns", ns), each("rs", rs)},
                         {"p is 1 in threads r, r + n, r + 2 n, ... if r is below n."});
}
