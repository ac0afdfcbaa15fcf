// The tests of exercise votes_and_matches: compactions, matches and sums of whole warps and of parts; predictions.
#include <algorithm>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count) {
  const auto in = test_random().array<std::int32_t>(count, 0, 3);
  std::vector<std::int32_t> out(in), alike, sums;
  for (std::size_t i = 0; i < count; i += 32) {
    const auto first = out.begin() + i, last = first + std::min<std::size_t>(32, count - i);
    for (auto at = first; at != last; ++at) alike.push_back(std::count(first, last, *at));
    sums.push_back(std::accumulate(first, last, 0));
    std::stable_partition(first, last, [](std::int32_t value) { return value != 0; });
  }
  const Answer answer =
      grade(call("survey", {input("in", in), output<std::int32_t>("out", count), output<std::int32_t>("alike", count),
                            output<std::int32_t>("sums", sums.size()), number("count", count)}));
  require_equal(answer, "out", out);
  require_equal(answer, "alike", alike);
  require_equal(answer, "sums", sums);
  return answer;
}

WB_LAB_TEST(correctness, 7, "whole warps and parts of them are surveyed") {
  for (const std::size_t count : usual_sizes(1, 1 << 17)) check(count);
}

WB_LAB_TEST(counters, 3, "few instructions are enough") {
  require_at_most(check(1 << 15), Quantity::warp_instructions, 80 << 10, "A ballot tells each lane of all 32 at once.");
}

WB_LAB_TEST(correctness, 6, "what each call gives is predicted") {
  std::vector<std::int32_t> kinds, lanes, ns, members;
  for (int i = 0; i < 600; ++i) {
    kinds.push_back(i % 9), lanes.push_back(i % 32), ns.push_back(i % 4 == 0 ? 1 : test_random().integer(1, 32));
    members.push_back(i < 50 ? -1 : static_cast<int>(test_random().bits()) | 1 << lanes[i]);
  }
  require_machine_agrees("predict",
                         {each("kinds", kinds), each("lanes", lanes), each("ns", ns), each("members", members)},
                         {"Only members count. Kind 2 gives all of them if all are equal, else 0."});
}
