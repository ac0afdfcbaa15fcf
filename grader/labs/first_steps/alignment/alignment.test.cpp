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
  std::vector<std::int32_t> bytes, alignments, whole;
  for (int i = 0; i < 60; ++i) {
    alignments.push_back(1 << i % 6);
    bytes.push_back(test_random().integer(1, 200));
    whole.push_back(alignments[i] * test_random().integer(1, 10));
  }
  const auto sizes = grade(call("size_of", {each("bytes", bytes), each("alignments", alignments)}));
  const auto loads = grade(call("loads_of", {each("bytes", whole), each("alignments", alignments)}));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int rest = bytes[i] % alignments[i], widest = alignments[i] < 16 ? alignments[i] : 16;
    INFO("bytes: " << bytes[i] << " (size_of) or " << whole[i] << " (loads_of), alignment: " << alignments[i]);
    INFO("The next element of an array begins at the next multiple of the alignment; a load has at most 16 bytes.");
    const int size = bytes[i] + (rest > 0 ? alignments[i] - rest : 0),
              size_found = sizes.output<std::int32_t>(kReturned).at(i);
    const int fewest = whole[i] / widest, loads_found = loads.output<std::int32_t>(kReturned).at(i);
    if (size_found != size) FAIL("size_of() says " << size_found << " where " << size << " is right");
    if (loads_found != fewest) FAIL("loads_of() says " << loads_found << " where " << fewest << " is right");
  }
}
