// Operations on sign and order only: abs, neg, copysign, min, max of all floating types.
#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// The bit layout of a format: sign, then exponent, then mantissa.
template <class U, int Mantissa, U Nan>
struct Layout {
  using Bits = U;
  static constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  static constexpr U kFraction = static_cast<U>((U{1} << Mantissa) - 1);
  static constexpr U kExponent = static_cast<U>(~(kSign | kFraction));
  static constexpr U kNan = Nan;
  static constexpr U kQuiet = static_cast<U>(U{1} << (Mantissa - 1));
  static bool is_nan(U a) { return static_cast<U>(a & ~kSign) > kExponent; }
  template <bool Ftz>
  static U flush(U a) {
    if constexpr (Ftz)
      return (a & kExponent) == 0 ? static_cast<U>(a & kSign) : a;
    else
      return a;
  }
  /// Maps numbers to signed integers of the same order, -0 below +0.
  static std::make_signed_t<U> key(U a) {
    using S = std::make_signed_t<U>;
    return static_cast<S>(a ^ static_cast<U>(static_cast<S>(a) >> (8 * sizeof(U) - 1) & static_cast<S>(~kSign)));
  }
};
using HalfLayout = Layout<std::uint16_t, 10, 0x7fff>;
using BrainLayout = Layout<std::uint16_t, 7, 0x7fff>;
using FloatLayout = Layout<std::uint32_t, 23, kNan32>;
using DoubleLayout = Layout<std::uint64_t, 52, 0x7fffffffffffffffu>;

/// A single NaN loses against a number, except with .NaN; two NaNs give the canonical one.
template <class L, bool Max, bool Ftz, bool Nan, bool XorSign>
struct Extreme {
  using U = typename L::Bits;
  U operator()(U a, U b) const {
    a = L::template flush<Ftz>(a);
    b = L::template flush<Ftz>(b);
    const U sign = static_cast<U>((a ^ b) & L::kSign);
    if constexpr (XorSign) a = static_cast<U>(a & ~L::kSign), b = static_cast<U>(b & ~L::kSign);
    const bool a_nan = L::is_nan(a), b_nan = L::is_nan(b);
    const bool take_a = Max ? L::key(a) > L::key(b) : L::key(a) < L::key(b);
    U result = take_a ? a : b;
    if constexpr (!Nan) {
      result = a_nan ? b : result;
      result = b_nan ? a : result;
    }
    if constexpr (XorSign) result = static_cast<U>(result | sign);
    const bool nan = Nan ? a_nan | b_nan : a_nan & b_nan;
    if constexpr (sizeof(U) == 8)
      return nan ? static_cast<U>(b | L::kQuiet) : result;  // Doubles keep the payload.
    else
      return nan ? L::kNan : result;
  }
};

template <class L, bool Max, bool Ftz, bool Nan, bool Abs>
struct Extreme3 {
  using U = typename L::Bits;
  U operator()(U a, U b, U c) const {
    using E = Extreme<L, Max, Ftz, Nan, false>;
    if constexpr (Abs)
      a = static_cast<U>(a & ~L::kSign), b = static_cast<U>(b & ~L::kSign), c = static_cast<U>(c & ~L::kSign);
    return E{}(E{}(a, b), c);
  }
};

template <class F>
struct OnHalves {
  std::uint32_t operator()(std::uint32_t a) const {
    return F{}(static_cast<std::uint16_t>(a)) | static_cast<std::uint32_t>(F{}(static_cast<std::uint16_t>(a >> 16)))
                                                    << 16;
  }
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return F{}(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)) |
           static_cast<std::uint32_t>(F{}(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16)))
               << 16;
  }
};

/// In hardware, abs and neg are additions: a NaN becomes the canonical one, or, in f64, a quiet NaN with its own sign.
template <class L>
inline typename L::Bits through_adder(typename L::Bits a, typename L::Bits result) {
  using U = typename L::Bits;
  if constexpr (sizeof(U) == 8)
    return L::is_nan(a) ? static_cast<U>(a | L::kQuiet) : result;
  else
    return L::is_nan(a) ? L::kNan : result;
}
template <class L, bool Ftz>
struct AbsoluteOf {
  using U = typename L::Bits;
  U operator()(U a) const { return through_adder<L>(a, static_cast<U>(L::template flush<Ftz>(a) & ~L::kSign)); }
};
template <class L, bool Ftz>
struct NegativeOf {
  using U = typename L::Bits;
  U operator()(U a) const { return through_adder<L>(a, static_cast<U>(L::template flush<Ftz>(a) ^ L::kSign)); }
};
/// The sign of the first operand, the magnitude of the second.
template <class L>
struct CopySign {
  typename L::Bits operator()(typename L::Bits a, typename L::Bits b) const { return (a & L::kSign) | (b & ~L::kSign); }
};

template <template <class, bool> class F, bool Ftz>
Handler sign_handler(Type type) {
  switch (type) {
    case Type::f32:
      return same1<std::uint32_t, F<FloatLayout, Ftz>>;
    case Type::f64:
      return Ftz ? nullptr : same1<std::uint64_t, F<DoubleLayout, false>>;
    case Type::f16:
      return same1<std::uint16_t, F<HalfLayout, Ftz>>;
    case Type::f16x2:
      return same1<std::uint32_t, OnHalves<F<HalfLayout, Ftz>>>;
    case Type::bf16:
      return same1<std::uint16_t, F<BrainLayout, Ftz>>;
    case Type::bf16x2:
      return same1<std::uint32_t, OnHalves<F<BrainLayout, Ftz>>>;
    default:
      return nullptr;
  }
}

template <bool Max, bool Ftz, bool Nan, bool XorSign>
Handler extreme_handler(Type type) {
  switch (type) {
    case Type::f32:
      return same2<std::uint32_t, Extreme<FloatLayout, Max, Ftz, Nan, XorSign>>;
    case Type::f16:
      return same2<std::uint16_t, Extreme<HalfLayout, Max, Ftz, Nan, XorSign>>;
    case Type::f16x2:
      return same2<std::uint32_t, OnHalves<Extreme<HalfLayout, Max, Ftz, Nan, XorSign>>>;
    case Type::bf16:
      return same2<std::uint16_t, Extreme<BrainLayout, Max, Ftz, Nan, XorSign>>;
    case Type::bf16x2:
      return same2<std::uint32_t, OnHalves<Extreme<BrainLayout, Max, Ftz, Nan, XorSign>>>;
    default:
      return nullptr;
  }
}
template <bool Max, bool Ftz>
Handler extreme(const Modifiers& m) {
  if (m.nan)
    return m.xorsign_abs ? extreme_handler<Max, Ftz, true, true>(m.types[0])
                         : extreme_handler<Max, Ftz, true, false>(m.types[0]);
  return m.xorsign_abs ? extreme_handler<Max, Ftz, false, true>(m.types[0])
                       : extreme_handler<Max, Ftz, false, false>(m.types[0]);
}
template <bool Max>
Handler extreme(const Modifiers& m) {
  return m.ftz ? extreme<Max, true>(m) : extreme<Max, false>(m);
}
template <bool Max, bool Ftz>
Handler extreme3(const Modifiers& m) {
  using U = std::uint32_t;
  if (m.nan)
    return m.abs ? same3<U, Extreme3<FloatLayout, Max, Ftz, true, true>>
                 : same3<U, Extreme3<FloatLayout, Max, Ftz, true, false>>;
  return m.abs ? same3<U, Extreme3<FloatLayout, Max, Ftz, false, true>>
               : same3<U, Extreme3<FloatLayout, Max, Ftz, false, false>>;
}

}  // namespace

Handler resolve_abs_floating(const Modifiers& m) {
  return m.ftz ? sign_handler<AbsoluteOf, true>(m.types[0]) : sign_handler<AbsoluteOf, false>(m.types[0]);
}
Handler resolve_neg_floating(const Modifiers& m) {
  return m.ftz ? sign_handler<NegativeOf, true>(m.types[0]) : sign_handler<NegativeOf, false>(m.types[0]);
}
Handler resolve_copysign(const Modifiers& m) {
  return m.types[0] == Type::f64 ? same2<std::uint64_t, CopySign<DoubleLayout>>
                                 : same2<std::uint32_t, CopySign<FloatLayout>>;
}
Handler resolve_min_f32(const Modifiers& m) { return extreme<false>(m); }
Handler resolve_max_f32(const Modifiers& m) { return extreme<true>(m); }
Handler resolve_min_half(const Modifiers& m) { return extreme<false>(m); }
Handler resolve_max_half(const Modifiers& m) { return extreme<true>(m); }
Handler resolve_min_f64(const Modifiers&) {
  return same2<std::uint64_t, Extreme<DoubleLayout, false, false, false, false>>;
}
Handler resolve_max_f64(const Modifiers&) {
  return same2<std::uint64_t, Extreme<DoubleLayout, true, false, false, false>>;
}
Handler resolve_min3_f32(const Modifiers& m) { return m.ftz ? extreme3<false, true>(m) : extreme3<false, false>(m); }
Handler resolve_max3_f32(const Modifiers& m) { return m.ftz ? extreme3<true, true>(m) : extreme3<true, false>(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
