// The tests of exercise device_heap: elements that come back, memory that is freed, and what is true.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(int blocks, int each) {
  const auto in = test_random().array<std::int32_t>(64UL * blocks * each, -1000, 1000);
  const Argument places = output<std::int64_t>("places", blocks),
                 sizes[] = {number("blocks", blocks), number("each", each)};
  const Case given = call("keep", {input("in", in), places, sizes[0], sizes[1]});
  const Answer answer =
      grade(then(given, "fetch", {places, output<std::int32_t>("out", in.size()), sizes[0], sizes[1]}));
  require_equal(answer, "out", in);
  return answer;
}

WB_LAB_TEST(correctness, 5, "memory outlives the launch and comes back in order") {
  check(1, 1), check(100, 16), check(7, 1);
  for (int i = 0; i < 4; ++i) check(test_random().size(1, 100), test_random().size(1, 16));
}

WB_LAB_TEST(counters, 3, "no byte stays behind") {
  const Answer answer = check(50, 4);
  require_at_most(answer, Quantity::heap_live_bytes, 0, "Each block's memory is to be freed once.");
  require_at_least(answer, Quantity::heap_peak_bytes, 50 * 4 * 64 * 4, "Between the launches the elements are there.");
  require_at_most(answer, Quantity::heap_peak_bytes, 50 * 4 * 64 * 4, "One allocation of a block is enough.");
}

WB_LAB_TEST(correctness, 4, "what holds of the device heap is known") {
  require_machine_agrees(
      "holds", {each("statements", std::vector{1, 2, 3, 4, 5, 6})},
      {"It lives until it is freed.", "Any thread may, even of another launch.", "cudaFree() is for cudaMalloc().",
       "cudaErrorInvalidValue: the host's calls do not know this memory.", "That is how it tells that none is left.",
       "Only before a kernel that uses malloc() has been loaded."});
}
