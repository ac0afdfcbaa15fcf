// The tests of exercise indices: numbers of threads in every shape, and what counters tell of warps in a block.
#include <array>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using Shape3 = std::array<std::int32_t, 3>;

static Answer check(const Shape3& grid, const Shape3& block) {
  const Shape3 size = {grid[0] * block[0], grid[1] * block[1], grid[2] * block[2]};
  std::vector<std::int32_t> expected;
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        const int of_block = (z / block[2] * grid[1] + y / block[1]) * grid[0] + x / block[0];
        const int in_block = (z % block[2] * block[1] + y % block[1]) * block[0] + x % block[0];
        expected.push_back(of_block * block[0] * block[1] * block[2] + in_block);
      }
  const Answer answer =
      grade(call("number", {output<std::int32_t>("out", expected.size()), number("grid_x", grid[0]),
                            number("grid_y", grid[1]), number("grid_z", grid[2]), number("block_x", block[0]),
                            number("block_y", block[1]), number("block_z", block[2])}));
  require_equal(answer, "out", expected, {std::size_t(size[2]), std::size_t(size[1]), std::size_t(size[0])});
  return answer;
}

static std::int32_t some(int most) { return static_cast<std::int32_t>(test_random().size(1, most)); }

WB_LAB_TEST(correctness, 6, "every thread of every shape stores its number") {
  check({1, 1, 1}, {1, 1, 1}), check({256, 1, 1}, {1024, 1, 1}), check({2, 3, 5}, {2, 2, 64});
  for (int i = 0; i < 5; ++i) check({some(8), some(8), some(8)}, {some(8), some(8), some(8)});
}

WB_LAB_TEST(counters, 3, "stores of a block are predicted") {
  std::vector<std::int32_t> xs = {5, 33, 16, 1}, ys = {7, 1, 2, 1024}, zs = {1, 3, 1, 1}, expected;
  for (int i = 0; i < 4; ++i) xs.push_back(some(10)), ys.push_back(some(10)), zs.push_back(some(10));
  for (std::size_t i = 0; i < xs.size(); ++i)
    expected.push_back(*value_of(check({1, 1, 1}, {xs[i], ys[i], zs[i]}).profile, Quantity::global_store_requests));
  require_returned(grade(call("warps", {each("block_xs", xs), each("block_ys", ys), each("block_zs", zs)})), expected,
                   {"This was counted. A warp goes on in the next row; only a block's last warp may be incomplete."});
}

WB_LAB_TEST(counters, 3, "sectors of a store are predicted") {
  std::vector<std::int32_t> widths, expected;
  for (std::int32_t x = 1; x <= 1024; x *= 2) {
    widths.push_back(x);
    const Answer answer = check({64, 1, 1}, {x, 1024 / x, 1});
    expected.push_back(*value_of(answer.profile, Quantity::global_store_sectors_per_request));
  }
  require_returned(grade(call("sectors", {each("block_xs", widths)})), expected,
                   {"This was counted. Each row of a warp has sectors of its own; 8 ints fill one."});
}
