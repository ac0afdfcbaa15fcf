// One element of a matrix product by the documented accumulation rule, number by number.
#include "common/simulator/machine/operations/matrix_reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/simulator/ptx/fragments.h"
#include "common/testing/catch.h"

namespace warpbook::simulator {

using ptx::Type;

namespace {

/// A floating-point number in parts: significand * 2^exponent, or a special value.
struct Number {
  enum class Kind : std::uint8_t { finite, infinite, nan } kind = Kind::finite;
  bool negative = false;
  std::int64_t significand = 0;
  int exponent = 0;  ///< Of the significand's lowest bit,
  int top = 0;       ///< and of its leading bit, which alignment uses.
};

Number number(std::uint64_t bits, int exponent_bits, int mantissa_bits, bool has_infinity = true) {
  Number n;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const std::int64_t mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << mantissa_bits) - 1));
  const int field = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  n.negative = ((bits >> (exponent_bits + mantissa_bits)) & 1) != 0;
  if (has_infinity && field == (1 << exponent_bits) - 1)
    n.kind = mantissa != 0 ? Number::Kind::nan : Number::Kind::infinite;
  if (!has_infinity && field == (1 << exponent_bits) - 1 && mantissa == (1 << mantissa_bits) - 1)
    n.kind = Number::Kind::nan;
  n.significand = field == 0 ? mantissa : mantissa | std::int64_t{1} << mantissa_bits;
  n.top = (field == 0 ? 1 : field) - bias;
  n.exponent = n.top - mantissa_bits;
  return n;
}

Number number_of(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::f16:
      return number(bits, 5, 10);
    case Type::bf16:
      return number(bits, 8, 7);
    case Type::tf32:
      return number(bits >> 13, 8, 10);
    case Type::e4m3:
      return number(bits, 4, 3, false);
    case Type::e5m2:
      return number(bits, 5, 2);
    default:
      return number(bits, 8, 23);
  }
}

/// x * 2^exponent, truncated to a multiple of 2^last.
Wide cut(Wide x, int exponent, int last) {
  if (x == 0) return 0;  // Whatever the exponent.
  const int shift = exponent - last;
  if (shift >= 0) return x << shift;
  const bool negative = x < 0;
  const Wide size = negative ? -x : x;
  const Wide kept = -shift > 100 ? 0 : size >> -shift;
  return negative ? -kept : kept;
}

}  // namespace

std::uint32_t rounded_sum(Wide sum, int last, bool half) {
  const double exact = std::ldexp(static_cast<double>(static_cast<std::int64_t>(sum)), last);
  REQUIRE(static_cast<std::int64_t>(exact / std::ldexp(1.0, last)) == static_cast<std::int64_t>(sum));
  if (half) {
    const double size = std::fabs(exact);
    if (size == 0) return 0;
    int e = 0;
    std::frexp(size, &e);  // size = f * 2^e, f in [0.5, 1)
    const int step = std::max(e - 11, -24);
    const double steps = std::nearbyint(std::ldexp(size, -step));
    const double value = std::ldexp(steps, step);
    std::uint32_t bits = 0;
    if (value >= 65536) {
      bits = 0x7c00;
    } else if (value < std::ldexp(1.0, -14)) {
      bits = static_cast<std::uint32_t>(std::ldexp(value, 24));
    } else {
      std::frexp(value, &e);
      bits = static_cast<std::uint32_t>(std::ldexp(value, 11 - e)) - 1024 + (static_cast<std::uint32_t>(e + 14) << 10);
    }
    return bits | (exact < 0 && bits != 0 ? 0x8000u : 0u);
  }
  float f = static_cast<float>(exact);
  if (std::fabs(exact) < std::ldexp(1.0, 128) && std::fabs(static_cast<double>(f)) > std::fabs(exact))
    f = std::nextafter(f, 0.0F);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &f, sizeof bits);
  return f == 0 ? 0 : bits;
}

namespace {

std::uint32_t half_as_single(std::uint32_t half) {
  const Number n = number_of(Type::f16, half);
  if (n.kind != Number::Kind::finite) return (half & 0x8000u) << 16 | 0x7f800000u | (half & 0x3ffu) << 13;
  const float f = std::ldexp(static_cast<float>(n.negative ? -n.significand : n.significand), n.exponent);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &f, sizeof bits);
  return bits | (half & 0x8000u) << 16;
}

/// The documented rule for one block of k: @p c is an f32 (or an f16 widened to one).
std::uint32_t add_block(const std::vector<Number>& a, const std::vector<Number>& b, std::uint32_t c, bool half) {
  const Number start = number_of(Type::f32, c);
  bool nan = start.kind == Number::Kind::nan, plus = false, minus = false;
  if (start.kind == Number::Kind::infinite) (start.negative ? minus : plus) = true;
  int top = start.significand != 0 ? start.top : -100000;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const bool infinite = a[k].kind == Number::Kind::infinite || b[k].kind == Number::Kind::infinite;
    const bool zero = (a[k].kind == Number::Kind::finite && a[k].significand == 0) ||
                      (b[k].kind == Number::Kind::finite && b[k].significand == 0);
    if (a[k].kind == Number::Kind::nan || b[k].kind == Number::Kind::nan || (infinite && zero))
      nan = true;
    else if (infinite)
      (a[k].negative != b[k].negative ? minus : plus) = true;
    else if (!zero)
      top = std::max(top, a[k].top + b[k].top);
  }
  if (nan || (plus && minus)) return half ? 0x7fff : 0x7fffffff;
  if (plus || minus) return (half ? 0x7c00u : 0x7f800000u) | (minus ? (half ? 0x8000u : 0x80000000u) : 0u);
  if (top < -10000) return 0;
  const int last = top - 25;
  Wide sum = cut(start.negative ? -start.significand : start.significand, start.exponent, last);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::int64_t product = a[k].significand * b[k].significand;
    sum += cut(a[k].negative != b[k].negative ? -product : product, a[k].exponent + b[k].exponent, last);
  }
  return rounded_sum(sum, last, half);
}

/// x * y + z. Among several NaNs, that of the second factor wins, then the addend's, then the first factor's; the
/// result is quiet.
double fused_as_hardware(double x, double y, double z) {
  const double result = std::fma(x, y, z);
  if (!std::isnan(result)) return result;
  for (const double operand : {y, z, x}) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &operand, sizeof bits);
    if (!std::isnan(operand)) continue;
    bits |= std::uint64_t{1} << 51;
    double quiet = 0;
    std::memcpy(&quiet, &bits, sizeof quiet);
    return quiet;
  }
  return -std::numeric_limits<double>::quiet_NaN();
}

bool is_fp8(Type type) { return type == Type::e4m3 || type == Type::e5m2; }

}  // namespace

std::uint64_t matrix_element(const MatrixForm& form, const std::vector<std::uint64_t>& a,
                             const std::vector<std::uint64_t>& b, std::uint64_t c) {
  const Type type = form.a;
  if (type == Type::f64) {
    double sum = 0, x = 0, y = 0;
    std::memcpy(&sum, &c, sizeof sum);
    for (std::size_t k = 0; k < a.size(); ++k) {
      std::memcpy(&x, &a[k], sizeof x);
      std::memcpy(&y, &b[k], sizeof y);
      sum = fused_as_hardware(x, y, sum);
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    return bits;
  }
  if (type == Type::b1) {
    std::uint64_t ones = 0;
    for (std::size_t k = 0; k < a.size(); ++k) ones += form.exclusive ? a[k] ^ b[k] : a[k] & b[k];
    return static_cast<std::uint32_t>(c + ones);
  }
  if (ptx::element_bits(type) <= 8 && !is_fp8(type)) {
    std::int64_t sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(c));
    const auto value = [](Type t, std::uint64_t raw) -> std::int64_t {
      if (t == Type::s8) return static_cast<std::int8_t>(raw);
      if (t == Type::s4) return static_cast<std::int64_t>(raw) - (raw >= 8 ? 16 : 0);
      return static_cast<std::int64_t>(raw);
    };
    for (std::size_t k = 0; k < a.size(); ++k) sum += value(form.a, a[k]) * value(form.b, b[k]);
    if (form.saturates)
      sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max());
    return static_cast<std::uint32_t>(sum);
  }
  const bool half = form.d == Type::f16;
  const std::uint32_t start = half ? half_as_single(static_cast<std::uint32_t>(c)) : static_cast<std::uint32_t>(c);
  // ptxas splits fp8 products by halves of registers, and tf32 products of wmma by halves of k.
  const bool fp8 = is_fp8(type), by_four = type == Type::tf32 && form.shape.n == 16;
  const std::size_t block = type == Type::tf32 ? (by_four ? 4 : 8) : 16;
  const auto part_of = [&](std::size_t k) { return fp8 ? k % 4 / 2 : k / block; };
  const std::size_t parts = fp8 ? 2 : std::max<std::size_t>(1, a.size() / block);
  std::uint32_t so_far = fp8 ? 0 : start, result = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Number> x, y;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (part_of(i) != part) continue;
      x.push_back(number_of(form.a, a[i]));
      y.push_back(number_of(form.b, b[i]));
    }
    result = add_block(x, y, so_far, half);
    so_far = half ? half_as_single(result) : result;
  }
  if (!fp8) return result;
  float x = 0, y = 0;
  std::memcpy(&x, &so_far, sizeof x);
  std::memcpy(&y, &start, sizeof y);
  if (half) {
    const double sum = static_cast<double>(x) + static_cast<double>(y);
    if (std::isnan(sum)) return 0x7fff;
    if (std::isinf(sum)) return sum < 0 ? 0xfc00 : 0x7c00;
    const std::uint32_t bits = rounded_sum(static_cast<Wide>(std::ldexp(sum, 24)), -24, true);
    return sum == 0 && std::signbit(sum) ? 0x8000 : bits;
  }
  const float sum = x + y;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  return std::isnan(sum) ? 0x7fffffff : bits;
}

}  // namespace warpbook::simulator
