// The tests of exercise launch_limits: launches on both sides of each limit, made and predicted.
#include <array>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

using Launch = std::array<std::int32_t, 6>;  // As the parameters, from grid_x on.

static bool may_run(const Launch& shape) {
  const auto& [grid_x, grid_y, x, y, z, shared] = shape;
  const std::int64_t threads = 1L * x * y * z;
  return grid_x > 0 && grid_y > 0 && grid_y < 65536 && threads > 0 && threads <= 1024 && z <= 64 && shared <= 49152;
}

static const std::vector<Launch> kAtLimits = {
    {1, 1, 1024, 1, 1, 0},   {1, 1, 1025, 1, 1, 0},    {2, 1, 32, 32, 1, 0},     {2, 1, 32, 33, 1, 0},
    {1, 1, 1, 1, 64, 0},     {1, 1, 1, 1, 65, 0},      {1, 65'535, 1, 1, 1, 0},  {1, 65'536, 1, 1, 1, 0},
    {70'000, 1, 1, 1, 1, 0}, {1, 1, 32, 1, 1, 49'152}, {1, 1, 32, 1, 1, 49'153}, {0, 1, 32, 1, 1, 0},
    {1, 0, 32, 1, 1, 0},     {1, 1, 0, 1, 1, 0},       {1, 1, 32, 1, 1, 0}};

static std::vector<Argument> arguments(const std::vector<Launch>& shapes) {
  const char* const names[] = {"grid_x", "grid_y", "block_x", "block_y", "block_z", "shared"};
  std::vector<Argument> made;
  for (std::size_t k = 0; k < 6; ++k) {
    std::vector<std::int32_t> values;
    for (const Launch& shape : shapes) values.push_back(shape[k]);
    made.push_back(each(names[k], values));
  }
  return made;
}

WB_LAB_TEST(correctness, 6, "launches run or are refused, and no error stays") {
  std::vector<std::int32_t> expected;
  std::int32_t threads = 0;
  for (const Launch& shape : kAtLimits) {
    expected.push_back(may_run(shape));
    if (may_run(shape)) threads += shape[0] * shape[1] * shape[2] * shape[3] * shape[4];
  }
  std::vector<Argument> given = arguments(kAtLimits);
  given.insert(given.begin(), filled<std::int32_t>("count", 1, 0));
  const Answer answer = grade(call("try_launch", given));
  require_returned(answer, expected, {"Some of the launches are at a limit, others are just beyond it."});
  require_equal(answer, "count", std::vector{threads});
}

WB_LAB_TEST(correctness, 5, "what a GPU takes is predicted") {
  std::vector<Launch> shapes = kAtLimits;
  const auto size = [](int most) { return static_cast<std::int32_t>(test_random().size(1, most)); };
  for (int i = 0; i < 200; ++i)
    shapes.push_back({size(100'000), size(100'000), size(1100), size(32), size(80), size(100'000)});
  for (const std::int32_t large : {65'536, 100'000}) shapes.push_back({1, 1, large, large, 1, 0});
  std::vector<std::int32_t> expected;
  for (const Launch& shape : shapes) expected.push_back(may_run(shape));
  require_returned(grade(call("fits", arguments(shapes))), expected,
                   {"Each dimension of block and grid has a limit, and the threads of a block together have one."});
}
