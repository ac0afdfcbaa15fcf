// The tests of exercise host_and_device_code: bits and architecture, few instructions, and what nvcc says.
#include "labs/language/host_and_device_code/host_and_device_code.h"

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count) {
  auto in = test_random().array<std::int32_t>(count, INT32_MIN, INT32_MAX);
  in[0] = 0;
  const Answer answer =
      grade(call("count_on_device", {input("in", in), output<std::int32_t>("out", in.size()), number("count", count)}));
  const std::int32_t side = answer.output<std::int32_t>("out")[0];
  if (side != 90'000)
    WB_FAIL("capability", "out[0] is " << side << " for 0; 90000 is compute capability 9.0, which it is compiled for.");
  for (std::int32_t& x : in) x = __builtin_popcount(static_cast<std::uint32_t>(x)) + side;
  require_equal(answer, "out", in);
  return answer;
}

WB_LAB_TEST(correctness, 4, "bits and architecture are told on both sides") {
  for (const std::size_t count : usual_sizes(1, 1 << 16)) check(count);
  const std::vector<std::int32_t> in = {0, 1, -1, INT32_MIN, 255}, expected = {0, 1, 32, 1, 8};
  require_returned(grade(call("count_on_host", {each("in", in)})), expected, {"The host has no compute capability."});
}

WB_LAB_TEST(counters, 3, "the device counts bits by one instruction") {
  require_at_most(
      check(1 << 14), Quantity::warp_instructions, 25 * (1 << 14) / 32.0,
      "A load, one instruction for all bits, a store and their addresses: a loop over bits takes hundreds.");
}

WB_LAB_TEST(correctness, 6, "what nvcc says is predicted") {
  require_predicted("says", compile_program(kProgram, CompileFor::both));
}
