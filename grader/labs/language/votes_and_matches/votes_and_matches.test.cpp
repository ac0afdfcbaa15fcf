// The tests of exercise votes_and_matches: compactions, matches and sums of whole warps and of parts; predictions.
#include <algorithm>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count, int most) {
  const auto in = test_random().array<std::int32_t>(count, 0, most);
  std::vector<std::int32_t> out, alike, facts;
  for (auto first = in.begin(); first != in.end();) {
    const auto last = first + std::min<std::ptrdiff_t>(32, in.end() - first);
    std::int32_t sum = 0;
    for (auto at = first; at != last; ++at) alike.push_back(std::count(first, last, *at)), sum += *at;
    std::copy_if(first, last, std::back_inserter(out), [](std::int32_t value) { return value != 0; });
    for (const auto fact : {last - first - std::count(first, last, 0), std::ptrdiff_t{alike.back() == last - first}})
      facts.push_back(fact);
    facts.push_back(sum);
    out.resize(alike.size());
    first = last;
  }
  const Answer answer =
      grade(call("survey", {input("in", in), output<std::int32_t>("out", count), output<std::int32_t>("alike", count),
                            output<std::int32_t>("facts", facts.size()), number("count", count)}));
  require_equal(answer, "out", out);
  require_equal(answer, "alike", alike);
  require_equal(answer, "facts", facts, {facts.size() / 3, 3});
  return answer;
}

WB_LAB_TEST(correctness, 7, "whole warps and parts of them are surveyed") {
  for (const std::size_t count : usual_sizes(1, 1 << 17)) check(count, 3);
  for (const int most : {0, 1}) check(test_random().size(1, 100), most);
}

WB_LAB_TEST(counters, 3, "few instructions are enough") {
  const Answer answer = check(1 << 15, 3);
  require_at_most(answer, Quantity::warp_instructions, 80 << 10, "A ballot tells each lane of all 32 at once.");
  require_at_most(answer, Quantity::shared_bytes_per_block, 0, "Votes and matches need no shared memory.");
}

WB_LAB_TEST(correctness, 6, "what each call gives is predicted") {
  std::vector<std::uint32_t> kinds = {0, 1, 1, 2, 2, 3, 4}, lanes = {0, 0, 3, 5, 5, 9, 9}, ns = {3, 4, 4, 4, 1, 32, 32};
  std::vector<std::uint32_t> right = {0x49249249, 0x11111111, 0x88888888, 0, ~0u, 496, 0}, members(7, ~0u);
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t lane = i % 32, n = test_random().integer(1, 32), some = test_random().bits() | 1u << lane;
    std::uint32_t found[5] = {};
    for (std::uint32_t other = 0; other < 32; ++other) {
      const std::uint32_t bit = some & 1u << other, value = bit == 0 ? 0 : other % n;
      found[0] |= value == 0 ? bit : 0, found[1] |= value == lane % n ? bit : 0;
      found[3] += value, found[4] ^= value;
    }
    found[2] = found[1] == some ? some : 0;
    kinds.push_back(i % 5), lanes.push_back(lane), ns.push_back(n), members.push_back(some);
    right.push_back(found[i % 5]);
  }
  const auto found =
      grade(call("predict", {each("kinds", kinds), each("lanes", lanes), each("ns", ns), each("members", members)}))
          .output<std::int32_t>(kReturned);
  for (std::size_t i = 0; i < right.size(); ++i)
    if (static_cast<std::uint32_t>(found.at(i)) != right[i])
      FAIL("predict(" << kinds[i] << ", " << lanes[i] << ", " << ns[i] << ", " << members[i] << "u) returned "
                      << static_cast<std::uint32_t>(found[i]) << "u, but the lane gets " << right[i] << "u.");
}
