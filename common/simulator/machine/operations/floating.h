// Floating-point formats: flushing, canonical NaNs, halves in software, and rounding a double to any format and mode.
//
// All arithmetic here is the same in every instruction set: integers, and IEEE operations that are not fused.
#pragma once

#include "common/simulator/machine/operations/handlers.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace warpbook::simulator::operations::WB_ISA {

using ptx::Rounding;

inline std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
inline std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
inline float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline double double_of(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

/// The only NaN that single-precision arithmetic produces, whatever NaN the operands were.
constexpr std::uint32_t kNan32 = 0x7fffffffu;
constexpr std::uint32_t kNan16 = 0x7fffu;  ///< Of f16 and bf16.

/// .ftz: subnormal numbers become zeros of their sign.
template <bool Ftz>
inline float flush(float x) {
  const std::uint32_t bits = bits_of(x);
  if constexpr (Ftz)
    return float_of((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
  else
    return x;
}

/// Post-processing of a single-precision result: canonical NaN, .ftz, .sat (to [0, 1], NaN to +0).
template <bool Ftz, bool Sat>
inline float finish(float x) {
  if constexpr (Sat) {
    const float low = x > 0.0f ? x : 0.0f;  // Also maps NaN and -0 to 0.
    return flush<Ftz>(low < 1.0f ? low : 1.0f);
  } else {
    const float y = flush<Ftz>(x);
    return y == y ? y : float_of(kNan32);
  }
}

/// While it lives, vector arithmetic rounds as @p R says. The compiler does not move loads and stores past its begin or
/// end.
template <Rounding R>
class RoundingScope {
 public:
#if defined(__SSE2__)
  [[gnu::always_inline]] RoundingScope() {
    if constexpr (R == Rounding::rn || R == Rounding::none) return;
    saved_ = _mm_getcsr();
    _mm_setcsr((saved_ & ~0x6000u) | (R == Rounding::rm ? 0x2000u : R == Rounding::rp ? 0x4000u : 0x6000u));
    asm volatile("" ::: "memory");
  }
  [[gnu::always_inline]] ~RoundingScope() {
    if constexpr (R == Rounding::rn || R == Rounding::none) return;
    asm volatile("" ::: "memory");
    _mm_setcsr(saved_);
  }

 private:
  unsigned saved_ = 0;
#else
  RoundingScope() {
    saved_ = std::fegetround();
    std::fesetround(R == Rounding::rm   ? FE_DOWNWARD
                    : R == Rounding::rp ? FE_UPWARD
                    : R == Rounding::rz ? FE_TOWARDZERO
                                        : FE_TONEAREST);
    asm volatile("" ::: "memory");
  }
  ~RoundingScope() {
    asm volatile("" ::: "memory");
    std::fesetround(saved_);
  }

 private:
  int saved_ = 0;
#endif
};

/// a * b + c rounded to odd in double precision: the last bit is set if the exact value lies strictly between two
/// doubles. The operands are floats, so the product is exact. Rounding the result again, to a format of at most 51
/// bits, is then the same as rounding the exact value (Boldo and Melquiond). Requires round-to-nearest mode.
inline double multiply_add_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c - back);  // Knuth's exact error; NaN if there are infinities.
  const std::uint64_t bits = bits_of(sum);
  const std::uint64_t step = 1u - 2u * ((bits_of(error) ^ bits) >> 63);  // Away from zero if the error has the sum's
                                                                         // sign.
  const std::uint64_t needed = ((error > 0.0) | (error < 0.0)) ? step : 0u;
  return double_of(bits + (needed & ((bits & 1u) - 1u)));  // Only an even last bit changes.
}

/// @p x rounded to odd in single precision, for the same purpose: the next rounding keeps at most 22 bits.
inline float single_odd(double x) {
  const float nearest = static_cast<float>(x);
  const std::uint32_t bits = bits_of(nearest);
  // Magnitudes can be compared as integers. A NaN remains one, whatever its last bit.
  const auto wanted = static_cast<std::int64_t>(bits_of(x) & 0x7fffffffffffffffu);
  const auto have = static_cast<std::int64_t>(bits_of(static_cast<double>(nearest)) & 0x7fffffffffffffffu);
  const std::int64_t step = wanted > have ? 1 : wanted < have ? -1 : 0;
  return float_of(bits + (static_cast<std::uint32_t>(step) & ((bits & 1u) - 1u)));
}

/// A half as a float; exact.
struct F16 {
  static constexpr std::uint32_t kOne = 0x3c00u, kInfinity = 0x7c00u, kLargest = 0x7bffu;
  static float widen(std::uint32_t h) {
    // With a float's exponent field the number is 2^112 too small; the multiplication makes subnormals normal.
    const std::uint32_t magnitude = (h & 0x7fffu) << 13;
    const std::uint32_t scaled = bits_of(float_of(magnitude) * 0x1p112f);
    const std::uint32_t special = (h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
    return float_of(scaled | special | (h & 0x8000u) << 16);
  }
  /// Rounds to nearest even; NaN becomes the canonical one.
  static std::uint32_t narrow(float x) {
    const std::uint32_t bits = bits_of(x), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
    // Adding 0.5 leaves a subnormal half in the low bits; the addition rounds it.
    const std::uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    std::uint32_t h = magnitude < 0x38800000u ? subnormal : normal;
    h = magnitude >= 0x477ff000u ? 0x7c00u : h;
    return magnitude > 0x7f800000u ? kNan16 : h | sign;
  }
  static constexpr int kMantissa = 10, kBias = 15;
};
struct Bf16 {
  static constexpr std::uint32_t kOne = 0x3f80u, kInfinity = 0x7f80u, kLargest = 0x7f7fu;
  static float widen(std::uint32_t h) { return float_of(h << 16); }
  static std::uint32_t narrow(float x) {
    const std::uint32_t bits = bits_of(x);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return (bits & 0x7fffffffu) > 0x7f800000u ? kNan16 : rounded;
  }
  static constexpr int kMantissa = 7, kBias = 127;
};
struct Single {
  static constexpr int kMantissa = 23, kBias = 127;
};
struct Double {
  static constexpr int kMantissa = 52, kBias = 1023;
};

/// The bits of @p x in format F, rounded once as @p R says. NaN is the caller's responsibility (payload 0 here).
/// Overflow gives infinity or the largest number, as the mode demands.
template <class F, Rounding R>
inline std::uint32_t narrow_double(double x) {
  constexpr int mantissa = F::kMantissa, drop = 52 - mantissa;
  constexpr std::uint64_t infinity = static_cast<std::uint64_t>(2 * F::kBias + 1) << mantissa;
  const std::uint64_t bits = bits_of(x), magnitude = bits & 0x7fffffffffffffffu;
  const bool negative = (bits >> 63) != 0;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023 + F::kBias;  // In the new format.
  const std::uint64_t significand = (magnitude & 0xfffffffffffffu) | (magnitude >> 52 ? std::uint64_t{1} << 52 : 0);
  // A subnormal result drops more bits; beyond 63 only "not zero" is left.
  int shift = exponent > 0 ? drop : drop + 1 - exponent;
  shift = shift < 63 ? shift : 63;
  const std::uint64_t kept = significand >> shift, rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  bool up;
  if constexpr (R == Rounding::rn)
    up = (rest > half) | ((rest == half) & ((kept & 1u) != 0));
  else if constexpr (R == Rounding::rna)
    up = rest >= half;
  else if constexpr (R == Rounding::rp)
    up = (rest != 0) & !negative;
  else if constexpr (R == Rounding::rm)
    up = (rest != 0) & negative;
  else
    up = false;
  const std::uint64_t hidden = std::uint64_t{1} << mantissa;
  const std::uint64_t base = exponent > 0 ? (static_cast<std::uint64_t>(exponent) << mantissa) + kept - hidden : kept;
  const std::uint64_t rounded = base + (up ? 1 : 0);
  constexpr bool nearest = R == Rounding::rn || R == Rounding::rna;
  const bool away = nearest | (R == Rounding::rp && !negative) | (R == Rounding::rm && negative);
  const std::uint64_t largest = (away | (magnitude >= 0x7ff0000000000000u)) ? infinity : infinity - 1;
  const std::uint64_t result = rounded >= infinity ? largest : rounded;
  return static_cast<std::uint32_t>(result | static_cast<std::uint64_t>(negative) << (mantissa == 23 ? 31 : 15));
}

/// Calls f(Case) for the rounding mode; the default is to nearest even.
template <Rounding R>
struct Mode {
  static constexpr Rounding value = R;
};
template <class F>
Handler for_rounding(Rounding rounding, F f) {
  switch (rounding) {
    case Rounding::none:
    case Rounding::rn:
      return f(Mode<Rounding::rn>{});
    case Rounding::rz:
      return f(Mode<Rounding::rz>{});
    case Rounding::rm:
      return f(Mode<Rounding::rm>{});
    case Rounding::rp:
      return f(Mode<Rounding::rp>{});
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA
