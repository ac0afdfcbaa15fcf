// For tests: whether a number is as expected, within a relative tolerance.
#pragma once

#include <cmath>

namespace warpbook::simulator {

inline bool near(double value, double expected, double tolerance = 1e-9) {
  return std::abs(value - expected) <= tolerance * std::abs(expected);
}

}  // namespace warpbook::simulator
