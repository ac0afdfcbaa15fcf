// Approximate functions: div, rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh.
//
// PTX only gives an error bound for these. They are computed in double precision by our own polynomials and rounded
// once, so they are the same on every machine and well within the bounds. Special values are the hardware's.
#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// Nearest integer, for |x| < 2^51: adding 1.5 * 2^52 leaves no room for a fraction.
inline double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// 2^x for |x| <= 1100. Taylor series of 2^f for |f| <= 1/2 to the 9th power: relative error below 2^-37.
inline double exp2_of(double x) {
  const double n = nearest(x), f = (x - n) * 0.69314718055994530942;
  double p = 1.0 / 362880;
  p = p * f + 1.0 / 40320;
  p = p * f + 1.0 / 5040;
  p = p * f + 1.0 / 720;
  p = p * f + 1.0 / 120;
  p = p * f + 1.0 / 24;
  p = p * f + 1.0 / 6;
  p = p * f + 0.5;
  p = p * f + 1.0;
  p = p * f + 1.0;
  // The bits of n + 1.5 * 2^52 end in n itself, which is added to the exponent; |n| < 1023 because callers clamp.
  const std::uint64_t scale = (bits_of(n + 0x1.8p52) + 1023) << 52;
  return p * double_of(scale);
}

/// Clamped so that the scale stays a normal double: results beyond that are 0 or infinity as a float anyway.
inline double exp2_clamped(double x) {
  const double low = x < -1000.0 ? -1000.0 : x;
  return exp2_of(low > 1000.0 ? 1000.0 : low);
}

struct Exp2 {
  float operator()(float a) const { return a == a ? static_cast<float>(exp2_clamped(a)) : a; }
};

/// log2 of a positive normal double: exponent, and 2 atanh(s) / ln 2 with s = (m - 1) / (m + 1), |s| < 0.172.
inline double log2_of(double x) {
  const std::uint64_t bits = bits_of(x);
  const std::uint64_t shifted = bits - 0x3fe6a09e667f3bcdu;  // Puts m in [sqrt(1/2), sqrt(2)).
  const double exponent = static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(shifted) >> 52));
  const double m = double_of((shifted & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
  const double s = (m - 1.0) / (m + 1.0), t = s * s;
  double p = 1.0 / 13;
  p = p * t + 1.0 / 11;
  p = p * t + 1.0 / 9;
  p = p * t + 1.0 / 7;
  p = p * t + 1.0 / 5;
  p = p * t + 1.0 / 3;
  p = p * t + 1.0;
  return exponent + 2.8853900817779268147 * s * p;
}

struct Log2 {
  float operator()(float a) const {
    const float value = static_cast<float>(log2_of(a));
    float result = a > 0.0f ? value : float_of(kNan32);
    result = a == 0.0f ? -__builtin_inff() : result;
    return bits_of(a) == 0x7f800000u ? a : result;
  }
};

/// sin(2 pi y) by a Taylor series, for |y| <= 1/4: absolute error below 2^-36.
inline double sine_of_turns(double y) {
  const double x = y * 6.2831853071795864769, t = x * x;
  double p = -1.0 / 1307674368000.0;
  p = p * t + 1.0 / 6227020800.0;
  p = p * t - 1.0 / 39916800.0;
  p = p * t + 1.0 / 362880;
  p = p * t - 1.0 / 5040;
  p = p * t + 1.0 / 120;
  p = p * t - 1.0 / 6;
  return x + x * t * p;
}
constexpr double kTurnsPerRadian = 0.15915494309189533577;

/// The fraction of a turn, in [-1/2, 1/2]. Beyond 2^51 turns a float has no meaningful fraction: 0.
inline double turns_of(float a) {
  const double y = static_cast<double>(a) * kTurnsPerRadian;
  const double fraction = y - nearest(y);
  return ((y < 0x1p50) & (y > -0x1p50)) ? fraction : 0.0;
}
struct Sine {
  float operator()(float a) const {
    double y = turns_of(a);
    y = y > 0.25 ? 0.5 - y : y;
    y = y < -0.25 ? -0.5 - y : y;
    const float result = static_cast<float>(sine_of_turns(y));
    const bool finite = (bits_of(a) & 0x7f800000u) != 0x7f800000u;
    return finite ? (a == 0.0f ? a : result) : float_of(kNan32);
  }
};
struct Cosine {
  float operator()(float a) const {
    const double y = turns_of(a);
    const double quarter = 0.25 - (y < 0.0 ? -y : y);  // cos(2 pi y) = sin(2 pi (1/4 - |y|))
    const float result = static_cast<float>(sine_of_turns(quarter));
    const bool finite = (bits_of(a) & 0x7f800000u) != 0x7f800000u;
    return finite ? result : float_of(kNan32);
  }
};

/// (e - 1) / (e + 1) with e = exp(2 x); near zero, where that cancels, x - x^3 / 3 + 2 x^5 / 15.
struct HyperbolicTangent {
  float operator()(float a) const {
    const double x = a, magnitude = x < 0.0 ? -x : x;
    const double clamped = magnitude < 20.0 ? magnitude : 20.0;
    const double e = exp2_of(clamped * 2.8853900817779268147);
    const double large = (e - 1.0) / (e + 1.0);
    const double t = clamped * clamped, small = clamped - clamped * t * ((1.0 / 3) - t * (2.0 / 15));
    const std::uint32_t bits = bits_of(static_cast<float>(clamped < 0.03125 ? small : large));
    const std::uint32_t sign = bits_of(a) & 0x80000000u;
    return a == a ? float_of(bits | sign) : float_of(kNan32);
  }
};

struct Reciprocal {
  float operator()(float a) const { return 1.0f / a; }
};
struct SquareRoot {
  float operator()(float a) const { return __builtin_sqrtf(a); }
};
struct ReciprocalRoot {
  float operator()(float a) const { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
};
struct Divide {
  float operator()(float a, float b) const { return a / b; }
};
/// div.approx is a * (1 / b): for |b| above 2^126 the reciprocal is flushed to zero, so the quotient is 0 (NaN for
/// infinite a).
struct DivideApproximately {
  float operator()(float a, float b) const {
    const bool huge = (bits_of(b) & 0x7fffffffu) > 0x7e800000u;
    const float zero = float_of((bits_of(a) ^ bits_of(b)) & 0x80000000u);
    const float scaled = bits_of(a * 0.0f) & 0x7fffffffu ? float_of(kNan32) : zero;  // inf * 0
    return (huge & (b == b)) ? scaled : a / b;
  }
};

template <class F, bool Ftz>
struct Approximate {
  float operator()(float a) const { return finish<Ftz, false>(F{}(flush<Ftz>(a))); }
  float operator()(float a, float b) const { return finish<Ftz, false>(F{}(flush<Ftz>(a), flush<Ftz>(b))); }
};

template <class F>
Handler approximate(const Modifiers& m) {
  return m.ftz ? unary<float, float, Approximate<F, true>> : unary<float, float, Approximate<F, false>>;
}
template <class F>
Handler approximate2(const Modifiers& m) {
  return m.ftz ? same2<float, Approximate<F, true>> : same2<float, Approximate<F, false>>;
}

/// The .ftz.f64 forms read and write only the upper half of a double: 20 bits of mantissa.
template <class F>
struct UpperHalf {
  double operator()(double a) const {
    std::uint64_t bits = bits_of(a) & 0xffffffff00000000u;
    if ((bits & 0x7ff0000000000000u) == 0) bits &= 0x8000000000000000u;
    const double result = F{}(double_of(bits));
    std::uint64_t out = (bits_of(result) + 0x80000000u) & 0xffffffff00000000u;  // Rounds to nearest.
    if ((out & 0x7ff0000000000000u) == 0) out &= 0x8000000000000000u;
    return result == result ? double_of(out) : double_of(0x7fffffff00000000u);
  }
};
struct ReciprocalDouble {
  double operator()(double a) const { return 1.0 / a; }
};
struct ReciprocalRootDouble {
  double operator()(double a) const {
    const double result = 1.0 / __builtin_sqrt(a);
    const std::uint64_t nan = a == a ? 0xfff8000000000000u : bits_of(a) | 0x8000000000000u;
    return result == result ? result : double_of(nan);  // Not the host's NaN: these instructions have their own.
  }
};

/// For a half, the single-precision result is truncated, not rounded, as the hardware does. Overflow is infinity: no
/// half has a result between the largest number and infinity.
template <class H>
inline std::uint16_t cut(float x) {
  const std::uint32_t h = narrow_double<H, Rounding::rz>(x);
  const std::uint32_t overflowed = (h & 0x7fffu) == H::kLargest ? h + 1 : h;
  return static_cast<std::uint16_t>(x == x ? overflowed : kNan16);
}
template <class H>
struct TanhHalf {
  std::uint16_t operator()(std::uint16_t a) const { return cut<H>(HyperbolicTangent{}(H::widen(a))); }
};
/// ex2 of bf16 flushes subnormals, which are those of f32.
template <class H>
struct Exp2Half {
  std::uint16_t operator()(std::uint16_t a) const {
    constexpr bool brain = H::kMantissa == 7;
    return cut<H>(flush<brain>(Exp2{}(flush<brain>(H::widen(a)))));
  }
};
template <class G>
struct OnPair {
  std::uint32_t operator()(std::uint32_t a) const {
    return G{}(static_cast<std::uint16_t>(a)) | static_cast<std::uint32_t>(G{}(static_cast<std::uint16_t>(a >> 16)))
                                                    << 16;
  }
};
template <class Half, class Brain>
Handler halves(Type type) {
  switch (type) {
    case Type::f16:
      return same1<std::uint16_t, Half>;
    case Type::f16x2:
      return same1<std::uint32_t, OnPair<Half>>;
    case Type::bf16:
      return same1<std::uint16_t, Brain>;
    case Type::bf16x2:
      return same1<std::uint32_t, OnPair<Brain>>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler resolve_div_approx_f32(const Modifiers& m) {
  return m.full ? approximate2<Divide>(m) : approximate2<DivideApproximately>(m);
}
Handler resolve_rcp_approx_f32(const Modifiers& m) { return approximate<Reciprocal>(m); }
Handler resolve_sqrt_approx_f32(const Modifiers& m) { return approximate<SquareRoot>(m); }
Handler resolve_rsqrt_approx_f32(const Modifiers& m) { return approximate<ReciprocalRoot>(m); }
Handler resolve_sin(const Modifiers& m) { return approximate<Sine>(m); }
Handler resolve_cos(const Modifiers& m) { return approximate<Cosine>(m); }
Handler resolve_lg2(const Modifiers& m) { return approximate<Log2>(m); }
Handler resolve_ex2_f32(const Modifiers& m) { return approximate<Exp2>(m); }
Handler resolve_tanh_f32(const Modifiers& m) { return approximate<HyperbolicTangent>(m); }
Handler resolve_rcp_approx_f64(const Modifiers&) { return same1<double, UpperHalf<ReciprocalDouble>>; }
Handler resolve_rsqrt_approx_f64(const Modifiers& m) {
  return m.ftz ? same1<double, UpperHalf<ReciprocalRootDouble>> : same1<double, ReciprocalRootDouble>;
}
Handler resolve_ex2_half(const Modifiers& m) { return halves<Exp2Half<F16>, Exp2Half<Bf16>>(m.types[0]); }
Handler resolve_tanh_half(const Modifiers& m) { return halves<TanhHalf<F16>, TanhHalf<Bf16>>(m.types[0]); }

}  // namespace warpbook::simulator::operations::WB_ISA
