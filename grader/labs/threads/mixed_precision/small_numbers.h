// Numbers of 16 bits on the host: what a half or bfloat16 stands for, and how results are rounded to one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warpbook::grader {

/// A binary format as IEEE 754 describes them.
struct SmallFormat {
  int bits;      ///< Of a number, its leading 1 included.
  int least;     ///< Exponent of the smallest number that is not 0.
  double most;   ///< The largest finite one.
  int fraction;  ///< Bits of a word that are not sign or exponent.
};
inline constexpr SmallFormat kHalf{11, -24, 65504, 10};
inline constexpr SmallFormat kBfloat16{8, -133, 0x1.fep127, 7};
inline constexpr SmallFormat kFloat{24, -149, std::numeric_limits<float>::max(), 23};

/// The nearest number of the format, of two the even one. Infinite if it is too large.
inline double rounded(const SmallFormat& format, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int unit = std::max(std::ilogb(value) - (format.bits - 1), format.least);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::abs(nearest) > format.most ? std::copysign(INFINITY, value) : nearest;
}

/// a * b + c, so that rounding it to a format of 16 bits gives what rounding the exact value gives. a and b have at
/// most 26 bits. A double that is not exact gets an odd last bit, which no later rounding takes for a tie.
inline double fused(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double of_c = sum - product, lost = (product - (sum - of_c)) + (c - of_c);
  if (lost == 0 || !std::isfinite(sum)) return sum;
  auto word = std::bit_cast<std::uint64_t>(sum);
  if ((lost > 0) != (sum > 0)) --word;  // It was rounded away from 0.
  return std::bit_cast<double>(word | 1u);
}

/// The word that stands for a number, which is rounded first. The number is not NaN.
inline std::uint16_t to_bits(const SmallFormat& format, double value) {
  const double nearest = rounded(format, value), size = std::abs(nearest);
  const auto sign = static_cast<std::uint16_t>(std::signbit(nearest) ? 0x8000u : 0u);
  if (size == 0) return sign;
  if (std::isinf(size)) return static_cast<std::uint16_t>(sign | (0x7fffu >> format.fraction << format.fraction));
  const int unit = std::max(std::ilogb(size) - (format.bits - 1), format.least);
  const auto whole = static_cast<std::uint32_t>(std::ldexp(size, -unit));  // The leading 1 adds 1 to the exponent.
  const auto exponent = static_cast<std::uint32_t>(unit - format.least);
  return static_cast<std::uint16_t>(sign | ((exponent << format.fraction) + whole));
}

/// The number that a word stands for.
inline float to_float(const SmallFormat& format, std::uint16_t word) {
  const std::uint32_t exponent = (word & 0x7fffu) >> format.fraction;
  const std::uint32_t fraction = word & ((1u << format.fraction) - 1);
  const double sign = (word & 0x8000u) != 0 ? -1 : 1;
  if (exponent == 0x7fffu >> format.fraction)
    return static_cast<float>(fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * INFINITY);
  if (exponent == 0) return static_cast<float>(sign * std::ldexp(fraction, format.least));
  const double whole = fraction + (1u << format.fraction);
  return static_cast<float>(sign * std::ldexp(whole, format.least + static_cast<int>(exponent) - 1));
}

}  // namespace warpbook::grader
