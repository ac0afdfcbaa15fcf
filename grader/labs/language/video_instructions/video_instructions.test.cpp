// The tests of exercise video_instructions: sums of differences, few instructions for them, and predictions.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static std::int32_t word() { return static_cast<std::int32_t>(test_random().bits()); }
static int byte(std::int32_t of, int k) { return of >> 8 * k & 255; }

static Answer check(std::size_t count, std::size_t each) {
  std::vector<std::int32_t> a(count * each), b(count * each), out(count, word() % 1000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = word(), b[i] = word();
  const Case given =
      call("compare", {input("a", a), input("b", b), in_out("out", out), number("count", count), number("each", each)});
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) out[i % count] += std::abs(byte(a[i], k) - byte(b[i], k));
  const Answer answer = grade(given);
  require_equal(answer, "out", out);
  return answer;
}

WB_LAB_TEST(correctness, 4, "differences of bytes are added up") {
  for (const std::size_t count : usual_sizes(1, 4096)) check(count, test_random().integer(0, 100));
}

WB_LAB_TEST(counters, 3, "four bytes take one instruction") {
  require_at_most(check(4096, 64), Quantity::warp_instructions, 128 * (10 * 64 + 50),
                  "Two loads, one instruction for four bytes, and addresses. 50 more are for the rest of the kernel.");
}

WB_LAB_TEST(correctness, 4, "what each instruction makes is predicted") {
  std::vector<std::int32_t> kinds = {0, 0}, as = {0x01020304, -0x00ff0100}, bs = {0x04030201, 0x00ff00ff}, cs = {10, 0};
  for (int i = 2; i < 200; ++i)
    kinds.push_back(i % 4), as.push_back(word()), bs.push_back(word()), cs.push_back(i % 50);
  require_machine_agrees(
      "predict", {each("kinds", kinds), each("as", as), each("bs", bs), each("cs", cs)},
      {"Bytes are 0 to 255, and none carries into the next one. Kinds 0 and 3 add c, the others do not."});
}
