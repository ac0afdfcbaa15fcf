// The tests of exercise tensor_types: products of floats that rounding changes, common bits, few instructions.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

/// The nearest number of 11 bits, the larger of two as near.
static int rounded(int number, int unit = 1) {
  return number / unit >= 2048 ? rounded(number, 2 * unit) : (number + unit / 2) / unit * unit;
}

/// A table for each tile: the sums of what `of` makes of the words of a row of `a` and of one of the transposed `b`.
template <class Sum, class Word, class Of>
static Answer check(const std::string& function, const std::vector<Word>& a, const std::vector<Word>& b,
                    const std::string& name, std::size_t rows, Of of) {
  std::vector<Sum> sums(2 * a.size());  // A row has half as many words as there are rows.
  for (std::size_t i = 0; i < sums.size(); ++i)
    for (std::size_t k = 0, row = i / rows, other = i / rows / rows * rows + i % rows; k < rows / 2; ++k)
      sums[i] += of(a[rows / 2 * row + k], b[rows / 2 * other + k]);
  const Answer answer = grade(call(function, {input("a", a), input("b", b), output<Sum>(name, sums.size()),
                                              number("tiles", sums.size() / rows / rows)}));
  require_tensor_cores(answer, sums.size() / rows / rows);
  require_equal(answer, name, sums, {sums.size() / rows / rows, rows, rows});
  return answer;
}

/// Numbers of up to 14 bits, three too many for tf32, by small ones: every sum is exact in a float.
static Answer check_products(std::size_t tiles) {
  const auto a = test_random().array<std::int32_t>(128 * tiles, 0, 16383),
             b = test_random().array<std::int32_t>(128 * tiles, -8, 8);
  return check<float>("multiply", std::vector<float>(a.begin(), a.end()), std::vector<float>(b.begin(), b.end()), "c",
                      16, [](float x, float y) { return rounded(x) * y; });
}

WB_LAB_TEST(correctness, 3, "instructions are predicted") {
  require_predicted("instructions", {8, 64, 24}, {"A warp does 32 of a tile's operations by one instruction."});
}

WB_LAB_TEST(correctness, 5, "floats are rounded, then multiplied and added") {
  for (const std::size_t tiles : usual_sizes(1, 500)) check_products(tiles);
}

WB_LAB_TEST(correctness, 4, "common bits are counted") {
  const std::size_t words = 32 * test_random().size(1, 500);
  check<std::int32_t>("count_common", test_random().array<std::uint32_t>(words, 0, ~0u),
                      test_random().array<std::uint32_t>(words, 0, ~0u), "counts", 8,
                      [](std::uint32_t x, std::uint32_t y) { return __builtin_popcount(x & y); });
}

WB_LAB_TEST(counters, 2, "a product of floats is one instruction") {
  require_at_most(check_products(100), Quantity::warp_instructions, 7000, "2 loads, 8 roundings, a product, a store.");
}
