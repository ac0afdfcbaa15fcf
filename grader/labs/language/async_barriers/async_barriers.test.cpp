// The tests of exercise async_barriers: threads that leave, two warps with two buffers, and tokens.
#include <numeric>

#include "grader/runner/lab_test.h"
using namespace warpbook::grader;
WB_LAB_TEST(correctness, 6, "threads take part as long as they live") {
  for (const std::size_t threads : usual_sizes(1, 256)) {
    const auto lives = test_random().array<std::int32_t>((threads + 31) / 32, 1, 10);
    std::vector<std::int32_t> numbers(10), out(threads);
    for (std::size_t t = 0; t < 2 * threads; ++t)  // First all add, then all read.
      for (int r = 0; r < lives[t % threads / 32]; ++r)
        t < threads ? numbers[r] += t + 1 : out[t - threads] += numbers[r];
    const Answer answer = grade(call("live", {input("lives", lives), output<std::int32_t>("out", threads),
                                              filled<std::int32_t>("numbers", 10, 0), number("threads", threads)}));
    require_equal(answer, "out", out);
    require_arrivals(answer, std::accumulate(lives.begin(), lives.end(), 0) + lives.size(), 0);
  }
}
WB_LAB_TEST(correctness, 5, "what one warp fills the other empties") {
  for (const std::size_t batches : {1L, 2L, 3L, test_random().size(4, 99), 100L}) {
    const auto in = test_random().array<std::int32_t>(32 * batches, -1000, 1000);
    std::vector<std::int32_t> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i / 32 * 32 + 31 - i % 32] = 3 * in[i] + 1;
    const Answer answer =
        grade(call("hand_on", {input("in", in), output<std::int32_t>("out", in.size()), number("batches", batches)}));
    require_equal(answer, "out", out, {batches, 32});
    require_arrivals(answer, 1e9, batches);
  }
}
WB_LAB_TEST(correctness, 4, "pending arrivals are predicted") {
  require_machine_agrees("pending",
                         {each_of("expected", 200, [](int i) { return i == 0 ? 0 : test_random().size(1, 100); }),
                          each_of("ns", 200, [](int i) { return i < 100 ? i : test_random().size(1, 1000); })},
                         {"A token knows its phase as it was before the arrival; a full phase starts again."});
}
