// The tests of exercise tensor_types: products of floats that rounding changes, common bits, few instructions.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

/// The nearest number of 11 bits, the larger of two as near.
static int rounded(int number, int unit = 1) {
  return number / unit >= 2048 ? rounded(number, 2 * unit) : (number + unit / 2) / unit * unit;
}

/// Numbers of up to 14 bits, three too many for tf32, by small ones: every sum is exact in a float.
static Answer check_products(std::size_t tiles) {
  const auto large = test_random().array<std::int32_t>(128 * tiles, 0, 16383),
             small = test_random().array<std::int32_t>(128 * tiles, -8, 8);
  std::vector<float> a(large.begin(), large.end()), b(small.begin(), small.end()), c(256 * tiles);
  const Case given =
      call("multiply", {input("a", a), input("b", b), output<float>("c", c.size()), number("tiles", tiles)});
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t tile = i / 256, row = i / 16 % 16, column = i % 16, k = 0; k < 8; ++k)
      c[i] += static_cast<float>(rounded(large[128 * tile + 8 * row + k]) * small[128 * tile + 8 * column + k]);
  const Answer answer = grade(given);
  require_equal(answer, "c", c, {tiles, 16, 16});
  return answer;
}

WB_LAB_TEST(correctness, 5, "floats are rounded, then multiplied and added") {
  for (const std::size_t tiles : usual_sizes(1, 500)) check_products(tiles);
}

WB_LAB_TEST(correctness, 4, "common bits are counted") {
  const std::size_t tiles = test_random().size(1, 500);
  const auto a = test_random().array<std::uint32_t>(32 * tiles, 0, ~0u),
             b = test_random().array<std::uint32_t>(32 * tiles, 0, ~0u);
  std::vector<std::int32_t> counts(64 * tiles);
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t tile = i / 64, row = i / 8 % 8, column = i % 8, k = 0; k < 4; ++k)
      counts[i] += __builtin_popcount(a[32 * tile + 4 * row + k] & b[32 * tile + 4 * column + k]);
  const Case given = call("count_common", {input("a", a), input("b", b), output<std::int32_t>("counts", counts.size()),
                                           number("tiles", tiles)});
  require_equal(grade(given), "counts", counts, {tiles, 8, 8});
}

WB_LAB_TEST(counters, 2, "a product of floats is one instruction") {
  require_at_most(check_products(100), Quantity::warp_instructions, 7000, "2 loads, 8 roundings, a product, a store.");
}
