// The tests of exercise alignment: brighter pixels by loads and stores of 16 bytes, sizes and loads of structures.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check_brighten(std::size_t count) {
  const auto in = test_random().array<float>(4 * count, 0, 1);
  const float gain = test_random().array<float>(1, 1, 8)[0];
  std::vector<float> expected(in);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i] *= i % 4 < 3 ? gain : 1;
  const Answer answer = grade(call(
      "brighten", {input("in", in), output<float>("out", in.size()), number("count", count), number("gain", gain)}));
  require_equal(answer, "out", expected, {count, 4});
  return answer;
}

WB_LAB_TEST(correctness, 3, "every pixel is brightened and keeps its alpha") {
  for (const std::size_t count : usual_sizes(1, 1 << 20)) check_brighten(count);
}

WB_LAB_TEST(counters, 5, "a pixel is loaded and stored by one instruction") {
  constexpr int kPixels = 1 << 16, kWarps = kPixels / 32;
  const Answer answer = check_brighten(kPixels);
  const std::string reason = "A warp has 32 pixels, which it can load by one instruction, 16 bytes for each lane.";
  require_at_most(answer, Quantity::global_load_requests, kWarps, reason);
  require_at_most(answer, Quantity::global_store_requests, kWarps, reason);
}

WB_LAB_TEST(correctness, 4, "sizes and loads of structures are predicted") {
  std::vector<std::int32_t> bytes, alignments, whole, sizes, loads;
  for (int i = 0; i < 60; ++i) {
    const int alignment = 1 << i % 6, any = test_random().integer(1, 200), rest = any % alignment;
    alignments.push_back(alignment), bytes.push_back(any), whole.push_back(alignment * test_random().integer(1, 10));
    sizes.push_back(any + (rest > 0 ? alignment - rest : 0));
    loads.push_back(whole[i] / (alignment < 16 ? alignment : 16));
  }
  require_returned(grade(call("size_of", {each("bytes", bytes), each("alignments", alignments)})), sizes,
                   {"The next element of an array begins at the next multiple of the alignment."});
  require_returned(grade(call("loads_of", {each("bytes", whole), each("alignments", alignments)})), loads,
                   {"A load has at most 16 bytes, and no more than the alignment."});
}
