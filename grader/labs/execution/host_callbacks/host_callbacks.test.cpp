// The tests of exercise host_callbacks: elements times a gain that the host has computed, and what is true.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static void check(std::size_t count, std::int64_t order = 0) {
  const auto data = test_random().array<std::int32_t>(count, 0, count > 3 ? 100 : 1);
  const std::int32_t gain = 1 + 1'000'000 / (1 + std::accumulate(data.begin(), data.end(), 0));
  std::vector<std::int32_t> expected(data);
  for (std::int32_t& value : expected) value *= gain;
  Case given = call("normalise", {in_out("data", data), in_out("sum", std::vector{7}), number("count", count)});
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  require_equal(answer, "data", expected);
  const auto& kernels = answer.profile.kernels;
  if (kernels.size() == 2 && (kernels[0].stream == 0 || kernels[0].stream != kernels[1].stream))
    WB_FAIL("streams", "The kernels ran in streams "
                           << kernels[0].stream << " and " << kernels[1].stream
                           << ". All steps are to be in one stream of their own: that keeps them in order.");
  require_pause(answer, 28, 1e9,
                "With a function of the host and two copies between them, it is 33 us: is the call of "
                "your function put into the stream by cudaLaunchHostFunc(), and does the host wait only at the end?");
}

WB_LAB_TEST(correctness, 7, "the host computes the gain between the kernels") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
  for (const std::int64_t order : other_orders()) check(3000, order);
}

WB_LAB_TEST(correctness, 4, "what holds of host functions is known") {
  require_predicted(
      "holds", {0, 1, 0, 1, 0, 0},
      {"It must not call CUDA at all.", "A stream is in order.", "Streams do not wait for each other.",
       "It is part of the stream's work.", "Nothing orders different streams.", "A thread of the driver calls it."});
}
