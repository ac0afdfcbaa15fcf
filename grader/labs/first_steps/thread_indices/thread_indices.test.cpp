// The tests of exercise thread_indices: every element of every shape, and stores along x.
#include <array>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check_blur(int width, int height) {
  const auto in = test_random().array<std::int32_t>(std::size_t(width) * height, 0, 255);
  std::vector<std::int32_t> expected(in.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int sum = 0, pixels = 0;
      for (int v = std::max(y - 1, 0); v < std::min(y + 2, height); ++v)
        for (int u = std::max(x - 1, 0); u < std::min(x + 2, width); ++u, ++pixels) sum += in[v * width + u];
      expected[y * width + x] = sum / pixels;
    }
  const Answer answer = grade(call("blur", {input("in", in), output<std::int32_t>("out", in.size()),
                                            number("width", width), number("height", height)}));
  require_equal(answer, "out", expected, {std::size_t(height), std::size_t(width)});
  return answer;
}

WB_LAB_TEST(correctness, 2, "the sectors of a block's shape are predicted") {
  const std::vector<std::int32_t> widths = {1, 2, 4, 8, 16, 32, 64, 128, 256}, expected = {32, 16, 8, 4, 4, 4, 4, 4, 4};
  require_returned(grade(call("sectors", {each("widths", widths)})), expected, {"8 ints side by side fill a sector."});
}

WB_LAB_TEST(correctness, 4, "images of every shape are blurred") {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {33, 9}, {64, 48}, {100'000, 2}, {2, 100'000}})
    check_blur(width, height), check_blur(test_random().size(1, 500), test_random().size(1, 500));
}

WB_LAB_TEST(counters, 4, "the blur stores along x") {
  const Answer answer = check_blur(512, 256);
  require_at_most(answer, Quantity::global_store_sectors_ratio, 1, "32 ints side by side fill 4 sectors of 32 bytes.");
  require_at_most(answer, Quantity::global_store_bytes, 1.2 * 4 * 512 * 256, "Each pixel is stored once.");
}

WB_LAB_TEST(correctness, 4, "lines, images and volumes are numbered") {
  const std::array drawn = {static_cast<int>(test_random().size(1, 100)), 60, 9};
  for (const auto& [width, height, depth] :
       {std::array{1, 1, 1}, {1000, 1, 1}, {300, 7, 1}, drawn, {100'000, 1, 2}, {1, 100'000, 3}, {2, 1, 100'000}}) {
    std::vector<std::int32_t> expected(std::size_t(width) * height * depth);
    for (int i = 0; i < std::ssize(expected); ++i)
      expected[i] = i % width + 100 * (i / width % height) + 10000 * (i / width / height);
    const Answer answer = grade(call("number", {output<std::int32_t>("out", expected.size()), number("width", width),
                                                number("height", height), number("depth", depth)}));
    require_equal(answer, "out", expected, {std::size_t(depth), std::size_t(height), std::size_t(width)});
  }
}
