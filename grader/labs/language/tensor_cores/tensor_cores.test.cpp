// The tests of exercise tensor_cores: products of every number of tiles, by few instructions; sizes of fragments.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t tiles) {
  const auto a = test_random().array<std::uint8_t>(256 * tiles, 0, 255),
             b = test_random().array<std::uint8_t>(256 * tiles, 0, 255);
  auto c = test_random().array<std::int32_t>(256 * tiles, -1'000'000, 1'000'000);
  for (std::size_t i = 0; i < c.size(); i += 3) c[i] += INT32_MAX - 1'000'000;
  const Case given = call("multiply", {input("a", a), input("b", b), in_out("c", c), number("tiles", tiles)});
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::size_t tile = i / 256 * 256, row = i / 16 % 16, column = i % 16;
    std::int64_t sum = c[i];
    for (std::size_t k = 0; k < 16; ++k) sum += a[tile + 16 * k + row] * b[tile + 16 * k + column];
    c[i] = static_cast<std::int32_t>(std::min<std::int64_t>(sum, INT32_MAX));
  }
  const Answer answer = grade(given);
  require_equal(answer, "c", c, {tiles, 16, 16});
  return answer;
}

WB_LAB_TEST(correctness, 6, "tiles are multiplied and added") {
  for (const std::size_t tiles : usual_sizes(1, 1000)) check(tiles);
}

WB_LAB_TEST(counters, 4, "a product is one instruction") {
  require_at_most(check(100), Quantity::warp_instructions, 100 * 60, "3 loads, a product and a store, and addresses.");
}

WB_LAB_TEST(correctness, 2, "the elements of a lane are predicted") {
  require_machine_agrees("elements", {each("ms", std::vector{16, 32, 8, 8}), each("ns", std::vector{16, 8, 32, 8})},
                         {"32 lanes have the tile together, each an equal share of it."});
}
