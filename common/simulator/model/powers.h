// Powers and exponentials that are bit-identical on every machine.
//
// The C library's are not: it selects variants by processor (with and without fused multiply-add), and they differ
// between releases and architectures. These are series of IEEE operations that the compiler must not fuse
// (CMakeLists.txt), accurate to 1e-13 for results between 1e-30 and 1e30.
#pragma once

#include <bit>
#include <cstdint>

namespace warpbook::simulator {

/// Base-2 logarithm of a positive normal number: its exponent plus 2 atanh(s) / ln 2 with s = (m - 1) / (m + 1), for
/// its mantissa m in [sqrt(1/2), sqrt(2)).
inline double log2_everywhere(double x) {
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) - 0x3fe6a09e667f3bcdu;
  const auto exponent = static_cast<double>(static_cast<std::int64_t>(shifted) >> 52);
  const auto m = std::bit_cast<double>((shifted & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
  const double s = (m - 1) / (m + 1), t = s * s;
  double sum = 1.0 / 23;
  for (int n = 21; n >= 1; n -= 2) sum = sum * t + 1.0 / n;
  return exponent + 2.8853900817779268147 * s * sum;
}

/// 2 to the power of @p x; 0 or the largest power of 2 outside the normal range.
inline double exp2_everywhere(double x) {
  if (x < -1022) return 0;
  if (x > 1023) x = 1023;
  const double whole = (x + 0x1.8p52) - 0x1.8p52;  // The nearest integer: next to 2^52 there is no room for a fraction.
  const double f = (x - whole) * 0.69314718055994530942;
  double sum = 1;
  for (int n = 15; n >= 1; --n) sum = sum * f / n + 1;  // Taylor's series; |f| < 0.35.
  return sum * std::bit_cast<double>((static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)) + 1023) << 52);
}

inline double exp_everywhere(double x) { return exp2_everywhere(x * 1.4426950408889634074); }

/// @p x to the power of @p exponent, for x >= 0 and a positive exponent.
inline double power_everywhere(double x, double exponent) {
  return x > 0 ? exp2_everywhere(exponent * log2_everywhere(x)) : 0;
}

}  // namespace warpbook::simulator
