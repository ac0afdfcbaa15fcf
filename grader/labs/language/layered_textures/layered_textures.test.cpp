// The tests of exercise layered_textures: layers that are there and not, and directions.
#include <algorithm>

#include "grader/runner/lab_test.h"
using namespace warpbook::grader;
WB_LAB_TEST(correctness, 4, "layers are read, the last where there is none") {
  for (const int size : {1, 64, 7, 20}) {
    const int layers = size == 64 ? 20 : static_cast<int>(test_random().size(1, 20));
    const std::size_t count = test_random().size(1, 5000);
    const auto texels = test_random().array<float>(size * size * layers, 0, 100);
    auto at = test_random().array<std::int32_t>(3 * count, 0, size - 1);
    std::vector<float> out(count);
    for (std::size_t k = 0; k < count; ++k) {
      at[3 * k + 2] = static_cast<int>(test_random().integer(0, 25));
      out[k] = texels[(std::clamp(at[3 * k + 2], 0, layers - 1) * size + at[3 * k + 1]) * size + at[3 * k]];
    }
    const Answer answer =
        grade(call("from_layers", {input("texels", texels), number("size", size), number("layers", layers),
                                   input("at", at), output<float>("out", count), number("count", count)}));
    require_equal(answer, "out", out);
    require_layers(answer, count);
  }
}

WB_LAB_TEST(correctness, 5, "directions find their texels in a cube") {
  // How (1, s, t) turns into a direction for each face: which component and sign each of x, y and z is.
  constexpr int kTurns[6][3] = {{1, -3, -2}, {-1, -3, 2}, {2, 1, 3}, {2, -1, -3}, {2, -3, 1}, {-2, -3, -1}};
  for (const int size : {1, 2, 16, 64}) {
    const std::size_t count = test_random().size(1, 5000);
    const auto texels = test_random().array<float>(6 * size * size, 0, 100);
    std::vector<float> at, out;
    for (std::size_t k = 0; k < count; ++k) {
      const auto face = test_random().integer(0, 5), s = test_random().integer(0, size - 1);
      const auto t = test_random().integer(0, size - 1), length = test_random().integer(1, 64);
      // Not in their middle, where a filter gives the texel alone.
      const double right = s + test_random().real(0.1, 0.9), down = t + test_random().real(0.1, 0.9);
      const double parts[] = {1, 2 * right / size - 1, 2 * down / size - 1};
      for (const int turn : kTurns[face]) at.push_back((turn > 0 ? length : -length) * parts[std::abs(turn) - 1]);
      out.push_back(texels[(face * size + t) * size + s]);
    }
    const Answer answer = grade(call("from_cube", {input("texels", texels), number("size", size), input("at", at),
                                                   output<float>("out", count), number("count", count)}));
    require_equal(answer, "out", out);
    require_cubes(answer, count);
  }
}
