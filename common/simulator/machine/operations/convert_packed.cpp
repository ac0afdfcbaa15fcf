// Conversions between pairs of small numbers (8 bits and fewer) and f32 or halves.
#include "common/simulator/machine/operations/convert.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// A format with a sign, @p Exponent and @p Mantissa bits. Larger numbers become kLargest; a NaN becomes kNan.
template <int Exponent, int Mantissa, std::uint32_t Largest, std::uint32_t Nan>
struct SmallFormat {
  static constexpr int kExponent = Exponent, kMantissa = Mantissa, kBias = (1 << (Exponent - 1)) - 1;
  static constexpr std::uint32_t kLargest = Largest, kNan = Nan;
  static constexpr std::uint32_t kSign = 1u << (Exponent + Mantissa);
};
using E4m3 = SmallFormat<4, 3, 0x7e, 0x7f>;
using E5m2 = SmallFormat<5, 2, 0x7b, 0x7f>;
using E2m3 = SmallFormat<2, 3, 0x1f, 0x1f>;
using E3m2 = SmallFormat<3, 2, 0x1f, 0x1f>;
using E2m1 = SmallFormat<2, 1, 0x07, 0x07>;

/// @p x rounded to nearest even; it is exact until then.
template <class F, bool Relu>
inline std::uint32_t narrow(double x) {
  const std::uint64_t bits = bits_of(x), magnitude = bits & 0x7fffffffffffffffu;
  if (x != x) return F::kNan;
  const bool negative = (bits >> 63) != 0;
  if (Relu && negative) return 0;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023 + F::kBias;
  const std::uint64_t significand = (magnitude & 0xfffffffffffffu) | (magnitude >> 52 ? std::uint64_t{1} << 52 : 0);
  constexpr int drop = 52 - F::kMantissa;
  int shift = exponent > 0 ? drop : drop + 1 - exponent;
  shift = shift < 63 ? shift : 63;
  const std::uint64_t kept = significand >> shift, rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t up = rest > half || (rest == half && (kept & 1u) != 0) ? 1 : 0;
  const std::uint64_t hidden = std::uint64_t{1} << F::kMantissa;
  const std::uint64_t base =
      exponent > 0 ? (static_cast<std::uint64_t>(exponent) << F::kMantissa) + kept - hidden : kept;
  const std::uint64_t rounded = base + up < F::kLargest ? base + up : F::kLargest;
  return static_cast<std::uint32_t>(rounded) | (negative ? F::kSign : 0);
}

/// Distance in bits between the two elements of a pair: 4 for e2m1, else 8.
template <class F>
constexpr unsigned kStep = F::kExponent + F::kMantissa + 1 == 4 ? 4 : 8;

template <class F, bool Relu>
struct FromSingles {
  std::uint32_t operator()(float high, float low) const {
    return narrow<F, Relu>(high) << kStep<F> | narrow<F, Relu>(low);
  }
};
template <class F, bool Relu>
struct FromHalves {
  std::uint32_t operator()(std::uint32_t pair) const {
    return narrow<F, Relu>(F16::widen(pair >> 16)) << kStep<F> | narrow<F, Relu>(F16::widen(pair & 0xffffu));
  }
};

/// A number of format F as a half, which represents it exactly.
template <class F, bool Relu>
inline std::uint32_t widen(std::uint32_t x) {
  const std::uint32_t sign = (x & F::kSign) != 0 ? 0x8000u : 0u, magnitude = x & (F::kSign - 1);
  constexpr bool has_nan = F::kNan != F::kLargest;
  std::uint32_t half;
  if (F::kExponent == 5) {  // It has infinities, like a half.
    half = magnitude << 8;
    if (magnitude > 0x7c) return kNan16;
  } else {
    if (has_nan && magnitude == F::kNan) return kNan16;
    const std::uint32_t field = magnitude >> F::kMantissa, mantissa = magnitude & ((1u << F::kMantissa) - 1);
    if (field != 0) {
      half = (field + 15 - F::kBias) << 10 | mantissa << (10 - F::kMantissa);
    } else if (mantissa == 0) {
      half = 0;
    } else {
      const auto top = static_cast<std::uint32_t>(31 - __builtin_clz(mantissa));
      half = (16 - F::kBias - F::kMantissa + top) << 10 | ((mantissa << (10 - top)) & 0x3ffu);
    }
  }
  return Relu && sign != 0 ? 0 : half | sign;
}
template <class F, bool Relu>
struct ToHalves {
  std::uint32_t operator()(std::uint32_t pair) const {
    return widen<F, Relu>(pair >> kStep<F> & (2 * F::kSign - 1)) << 16 | widen<F, Relu>(pair & (2 * F::kSign - 1));
  }
};

/// The exponent of @p x, a power of two after rounding its magnitude: up to the next one, or down. 255 is a NaN, which
/// without @p Finite an infinity and what lies beyond the largest become, too.
template <bool Up, bool Finite>
inline std::uint32_t scale_of(std::uint32_t x) {
  const std::uint32_t magnitude = x & 0x7fffffffu, exponent = magnitude >> 23, mantissa = magnitude & 0x7fffffu;
  if (magnitude > 0x7f800000u) return 0xff;
  // The smallest is 2^-127, half of the smallest normal number of f32.
  const bool above = exponent == 0 ? mantissa > 0x400000u : mantissa != 0;
  const std::uint32_t rounded = exponent + (Up && above ? 1 : 0);
  return Finite && rounded > 0xfe ? 0xfe : rounded;
}
template <bool Up, bool Finite>
struct ScalesFromSingles {
  std::uint32_t operator()(std::uint32_t high, std::uint32_t low) const {
    return scale_of<Up, Finite>(high) << 8 | scale_of<Up, Finite>(low);
  }
};
template <bool Up, bool Finite>
struct ScalesFromBrains {
  std::uint32_t operator()(std::uint32_t pair) const {
    return scale_of<Up, Finite>(pair & 0xffff0000u) << 8 | scale_of<Up, Finite>(pair << 16);
  }
};
struct BrainsFromScales {
  static std::uint32_t widen(std::uint32_t scale) { return scale == 0xff ? 0x7fffu : scale == 0 ? 0x40u : scale << 7; }
  std::uint32_t operator()(std::uint32_t pair) const { return widen(pair >> 8 & 0xff) << 16 | widen(pair & 0xff); }
};

/// Calls f(format, relu) for the small format that @p type is a pair of.
template <class Make>
Handler for_format(Type type, bool relu, Make make) {
  const auto with = [&]<class F>(Tag<F>) -> Handler {
    return relu ? make.template operator()<F, true>() : make.template operator()<F, false>();
  };
  switch (type) {
    case Type::e4m3x2:
      return with(Tag<E4m3>{});
    case Type::e5m2x2:
      return with(Tag<E5m2>{});
    case Type::e2m3x2:
      return with(Tag<E2m3>{});
    case Type::e3m2x2:
      return with(Tag<E3m2>{});
    case Type::e2m1x2:
      return with(Tag<E2m1>{});
    default:
      return nullptr;
  }
}

Handler from_singles(const Modifiers& m) {
  return for_format(m.types[0], m.relu, []<class F, bool Relu>() -> Handler {
    return binary<std::uint32_t, float, float, FromSingles<F, Relu>>;
  });
}
Handler to_halves(const Modifiers& m) {
  return for_format(m.types[1], m.relu, []<class F, bool Relu>() -> Handler {
    return unary<std::uint32_t, std::uint32_t, ToHalves<F, Relu>>;
  });
}

}  // namespace

Handler resolve_cvt_to_fp8(const Modifiers& m) { return from_singles(m); }
Handler resolve_cvt_half_pair_to_fp8(const Modifiers& m) {
  return for_format(m.types[0], m.relu, []<class F, bool Relu>() -> Handler {
    return unary<std::uint32_t, std::uint32_t, FromHalves<F, Relu>>;
  });
}
Handler resolve_cvt_to_scale(const Modifiers& m) {
  using U = std::uint32_t;
  if (m.rounding == ptx::Rounding::rp)
    return m.satfinite ? binary<U, U, U, ScalesFromSingles<true, true>>
                       : binary<U, U, U, ScalesFromSingles<true, false>>;
  return m.satfinite ? binary<U, U, U, ScalesFromSingles<false, true>>
                     : binary<U, U, U, ScalesFromSingles<false, false>>;
}
Handler resolve_cvt_half_pair_to_scale(const Modifiers& m) {
  using U = std::uint32_t;
  if (m.rounding == ptx::Rounding::rp)
    return m.satfinite ? unary<U, U, ScalesFromBrains<true, true>> : unary<U, U, ScalesFromBrains<true, false>>;
  return m.satfinite ? unary<U, U, ScalesFromBrains<false, true>> : unary<U, U, ScalesFromBrains<false, false>>;
}
Handler resolve_cvt_from_scale(const Modifiers&) { return unary<std::uint32_t, std::uint32_t, BrainsFromScales>; }
Handler resolve_cvt_from_fp8(const Modifiers& m) { return to_halves(m); }
Handler resolve_cvt_to_small(const Modifiers& m) { return from_singles(m); }
Handler resolve_cvt_from_small(const Modifiers& m) { return to_halves(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
