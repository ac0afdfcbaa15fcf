// The tests of exercise surfaces: images that are shifted and stamped, and reads outside.
#include "grader/runner/lab_test.h"
using namespace warpbook::grader;

WB_LAB_TEST(correctness, 5, "images are shifted, edges go on outside") {
  for (const std::int32_t size : {64L, 1L, 5L, test_random().size(1, 64), test_random().size(1, 64)}) {
    const auto image = test_random().array<std::int32_t>(size * size, 1, 1000);
    const std::int32_t dx = test_random().integer(-100, 100), dy = test_random().integer(-9, 9), last = size - 1;
    std::vector<std::int32_t> out(image.size());
    for (int i = 0; i < size * size; ++i)
      out[i] = image[std::clamp(i / size + dy, 0, last) * size + std::clamp(i % size + dx, 0, last)];
    const Answer answer = grade(call("shift", {input("image", image), output<std::int32_t>("out", out.size()),
                                               number("size", size), number("dx", dx), number("dy", dy)}));
    require_equal(answer, "out", out);
    require_at_least(answer, Quantity::surface_reads, out.size() / 32.0, "Each element is read from a surface.");
  }
}

WB_LAB_TEST(correctness, 3, "places are stamped, but for those outside") {
  for (const std::int32_t count : {1L, 1000L, test_random().size(1, 1000)}) {
    const std::int32_t size = test_random().size(20, 64), width = 80, first = test_random().integer(0, 300);
    auto image = test_random().array<std::int32_t>(size * size, -9, 0);
    std::vector<std::int32_t> places;
    for (int k = first; k < first + 7 * count; k += 7) places.push_back(k % width - 8), places.push_back(k / width - 4);
    const Answer answer = grade(
        call("stamp", {in_out("image", image), number("size", size), input("places", places), number("count", count)}));
    for (int k = 0; k < count; ++k)
      if (const int x = places[2 * k], y = places[2 * k + 1]; x >= 0 && x < size && y >= 0 && y < size)
        image[y * size + x] = k + 1;
    require_equal(answer, "image", image);
    require_at_least(answer, Quantity::surface_writes, count / 32.0,
                     "Each place is written by a surface, or outside it.");
  }
}

WB_LAB_TEST(correctness, 4, "reads outside are predicted") {
  std::vector<std::int32_t> xs, sizes, modes, outside = {-1000, -4, 400, 1000};
  for (int i = 0; i < 400; ++i)
    sizes.push_back(test_random().size(1, 100)), modes.push_back(i % 3),
        xs.push_back(4 * (i % 3 < 2 ? test_random().integer(-9, 110) : test_random().integer(0, sizes[i] - 1)));
  const std::vector<std::string> why = {"x counts bytes: element x / 4. Outside it is 0, the nearest, or the end."};
  require_machine_agrees("predict", {each("xs", xs), each("sizes", sizes), each("modes", modes)}, why);
  const Argument size = number("size", 100), mode = number("mode", 2);
  const bool ends = machine_fails("cudaErrorIllegalAddress", "predict", {number("x", 400), size, mode});
  require_returned(grade(call("predict", {each("xs", outside), size, mode})), std::vector(4, ends ? -700 : 0), why);
}
