// The tests of exercise vector_types: every part of an array, four at a time; sizes and alignments.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(int first, std::size_t count) {
  const auto in = test_random().array<float>(first + count, -1, 1);
  std::vector<float> out(in.size(), 3.0f);
  const Case given =
      call("negate", {input("in", in), in_out("out", out), number("first", first), number("count", count)});
  for (std::size_t i = first; i < in.size(); ++i) out[i] = -in[i];
  const Answer answer = grade(given);
  require_equal(answer, "out", out);
  return answer;
}

WB_LAB_TEST(correctness, 4, "every part of an array is negated") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(test_random().integer(0, 7), count);
  for (int first = 0; first < 8; ++first) check(first, 1 + first % 3), check(first, 100 + first);
}

WB_LAB_TEST(counters, 4, "four floats are loaded and stored by one instruction") {
  for (const int first : {0, 3}) {
    const Answer answer = check(first, 1 << 15);
    const std::string reason = "A warp has 128 floats, 16 bytes for each lane. 7 more are for the first and the last.";
    require_at_most(answer, Quantity::global_load_requests, (1 << 15) / 128.0 + 7, reason);
    require_at_most(answer, Quantity::global_store_requests, (1 << 15) / 128.0 + 7, reason);
  }
}

WB_LAB_TEST(correctness, 4, "sizes and alignments are predicted") {
  std::vector<std::int32_t> bytes, numbers;
  for (int i = 0; i < 16; ++i) bytes.push_back(1 << i / 4), numbers.push_back(i % 4 + 1);
  require_machine_agrees("size_of", {each("bytes", bytes), each("numbers", numbers)},
                         {"Numbers lie side by side, without gaps."});
  require_machine_agrees("alignment_of", {each("bytes", bytes), each("numbers", numbers)},
                         {"Types of three numbers are aligned as one; others to their size, up to 16 bytes."});
}
