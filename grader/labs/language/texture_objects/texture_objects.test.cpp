// The tests of exercise texture_objects: filtered images, and which texels are read.
#include "grader/runner/lab_test.h"
using namespace warpbook::grader;
static int texel_of(int texel, int size, int mode) {
  const int period = mode == 2 ? 2 * size : size, rest = (texel % period + period) % period;
  if (mode % 2 == 0) return std::min(rest, 2 * size - 1 - rest);
  return mode == 3 && (texel < 0 || texel >= size) ? -1 : std::clamp(texel, 0, size - 1);
}
WB_LAB_TEST(correctness, 6, "images are filtered, in every address mode") {
  for (int turn = 0; turn < 12; ++turn) {
    const int mode = turn % 4, size = turn < 2 ? 64 : 1 << turn % 7;
    const std::size_t count = turn == 0 ? 10'000 : test_random().size(1, 10'000);
    auto texels = test_random().array<float>(size * size, 0, 100), at = test_random().array<float>(2 * count, -1, 2);
    std::vector<float> out(count);
    for (std::size_t k = 0; k < count; ++k) {
      const float x = std::round(at[2 * k] * size * 16) / 16, y = std::round(at[2 * k + 1] * size * 16) / 16;
      at[2 * k] = x / size, at[2 * k + 1] = y / size;
      for (unsigned corner = 0; corner < 4; ++corner) {
        const float left = std::floor(x - 0.5f) + (corner & 1), top = std::floor(y - 0.5f) + (corner >> 1);
        const int column = texel_of(left, size, mode), row = texel_of(top, size, mode);
        const float weight = (1 - std::abs(x - 0.5f - left)) * (1 - std::abs(y - 0.5f - top));
        if (column >= 0 && row >= 0) out[k] += weight * texels[row * size + column];
      }
    }
    const Answer answer =
        grade(call("sample", {input("texels", texels), number("size", size), input("at", at),
                              output<float>("out", count), number("count", count), number("mode", mode)}));
    require_close(answer, "out", out, {0.5, 0});
    require_at_least(answer, Quantity::texture_reads, count / 32.0, "Each point is read from the texture.");
    require_filtered(answer, count);
  }
}
WB_LAB_TEST(correctness, 6, "texels are predicted") {
  std::vector<std::int32_t> texels, sizes, modes, normalised;
  for (int i = 0; i < 200; ++i)
    texels.push_back(test_random().integer(-300, 300)), sizes.push_back(test_random().size(1, 100)),
        modes.push_back(i % 5), normalised.push_back(i / 5 % 2);
  require_machine_agrees(
      "texel_of", {each("texels", texels), each("sizes", sizes), each("modes", modes), each("normalised", normalised)},
      {"Not normalised, wrap and mirror clamp. Mirror repeats the last texel. Linear memory has no mode."});
  require_machine_agrees("gathered", {each("components", std::vector{0, 1, 2, 3})},
                         {"Counterclockwise, from the lower left."});
}
