// The tests of exercise dynamic_shared_layout: offsets predicted, arrays reversed in no byte more.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static int size() { return static_cast<int>(test_random().size(1, 8000)); }

static Answer check(int shorts, int floats, int ints) {
  const auto s = test_random().array<std::int16_t>(shorts, -32000, 32000);
  const auto f = test_random().array<float>(floats, -1, 1);
  const auto i = test_random().array<std::int32_t>(ints, -1000000, 1000000);
  const Answer answer = grade(call("reverse", {in_out("s", s), in_out("f", f), in_out("i", i), number("shorts", shorts),
                                               number("floats", floats), number("ints", ints)}));
  require_equal(answer, "s", std::vector(s.rbegin(), s.rend()));
  require_equal(answer, "f", std::vector(f.rbegin(), f.rend()));
  require_equal(answer, "i", std::vector(i.rbegin(), i.rend()));
  return answer;
}

WB_LAB_TEST(correctness, 4, "arrays of every size are reversed") {
  check(128, 64, 256), check(127, 64, 256), check(1, 1, 1), check(8000, 8000, 8000);
  for (int k = 0; k < 3; ++k) check(size(), size(), size());
}

WB_LAB_TEST(counters, 3, "a block gets no byte more than it needs") {
  const Answer answer = check(127, 64, 256);
  const std::string reason = "Arrays lie side by side, but for the bytes that alignment asks for.";
  require_at_most(answer, Quantity::shared_bytes_per_block, 1536, reason);
  require_at_least(answer, Quantity::shared_bytes_per_block, 1536, reason);
  require_at_least(answer, Quantity::shared_requests, 2 * 1534 / 512.0, "Each element goes through shared memory.");
  require_at_most(answer, Quantity::kernel_launches, 1, "One block has room for all three.");
}

WB_LAB_TEST(correctness, 4, "offsets and size are predicted") {
  std::vector<std::int32_t> arrays, shorts, floats, ints;
  for (int k = 0; k < 40; ++k) {
    arrays.push_back(k % 4), shorts.push_back(k < 8 ? 128 - k / 4 : size());
    floats.push_back(k < 8 ? 64 : size()), ints.push_back(k < 8 ? 256 : size());
  }
  require_machine_agrees("offset_of",
                         {each("arrays", arrays), each("shorts", shorts), each("floats", floats), each("ints", ints)},
                         {"Floats begin at a multiple of 4 bytes; there is no other gap."});
}
