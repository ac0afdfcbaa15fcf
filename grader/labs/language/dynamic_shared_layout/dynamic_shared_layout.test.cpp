// The tests of exercise dynamic_shared_layout: offsets predicted, arrays turned around in no byte more.
#include <algorithm>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

template <class T>
static std::vector<T> reversed(std::vector<T> values) {
  std::reverse(values.begin(), values.end());
  return values;
}
static int size() { return static_cast<int>(test_random().size(1, 8000)); }

static Answer check(int shorts, int floats, int ints) {
  const auto s = test_random().array<std::int16_t>(shorts, -32000, 32000);
  const auto f = test_random().array<float>(floats, -1, 1);
  const auto i = test_random().array<std::int32_t>(ints, -1000000, 1000000);
  const Answer answer = grade(call("reverse", {in_out("s", s), in_out("f", f), in_out("i", i), number("shorts", shorts),
                                               number("floats", floats), number("ints", ints)}));
  require_equal(answer, "s", reversed(s));
  require_equal(answer, "f", reversed(f));
  require_equal(answer, "i", reversed(i));
  return answer;
}

WB_LAB_TEST(correctness, 4, "arrays of every size are turned around") {
  check(128, 64, 256), check(127, 64, 256), check(1, 1, 1), check(8000, 8000, 8000);
  for (int k = 0; k < 3; ++k) check(size(), size(), size());
}

WB_LAB_TEST(counters, 3, "a block gets no byte more than it needs") {
  const std::string reason = "Arrays lie side by side, but for the bytes that alignment asks for.";
  for (const int shorts : {127, 128}) {
    const Answer answer = check(shorts, 64, 256);
    require_at_most(answer, Quantity::shared_bytes_per_block, 1536, reason);
    require_at_least(answer, Quantity::shared_bytes_per_block, 1536, reason);
    require_at_most(answer, Quantity::kernel_launches, 1, "One block has room for all three.");
  }
}

WB_LAB_TEST(correctness, 4, "offsets and size are predicted") {
  std::vector<std::int32_t> arrays, shorts, floats, ints, right;
  for (int k = 0; k < 40; ++k) {
    const int s = k < 8 ? 128 - k / 4 : size(), f = k < 8 ? 64 : size(), i = k < 8 ? 256 : size();
    const int floats_at = 2 * s + (s % 2 == 0 ? 0 : 2), all[] = {0, floats_at, floats_at + 4 * f, floats_at + 4 * (f + i)};
    arrays.push_back(k % 4), shorts.push_back(s), floats.push_back(f), ints.push_back(i), right.push_back(all[k % 4]);
  }
  const Answer answer = grade(call(
      "offset_of", {each("arrays", arrays), each("shorts", shorts), each("floats", floats), each("ints", ints)}));
  for (std::size_t k = 0; k < right.size(); ++k)
    if (const int found = answer.output<std::int32_t>(kReturned).at(k); found != right[k])
      FAIL("offset_of(" << arrays[k] << ", " << shorts[k] << ", " << floats[k] << ", " << ints[k] << ") returned " << found
                        << " where " << right[k] << " is right.");
}
