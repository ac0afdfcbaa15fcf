// Conversions from or to integers: cvt between integers, from and to floating point, cvt.pack.
#include "common/simulator/machine/operations/convert.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }

template <class F>
Handler for_any_integer(Type type, F f) {
  switch (type) {
    case Type::u8:
      return f(Tag<std::uint8_t>{});
    case Type::s8:
      return f(Tag<std::int8_t>{});
    default:
      return for_integer(type, f);
  }
}

/// The limits of an integer type, as that type.
template <class D>
inline constexpr D kHighest = static_cast<D>(static_cast<Unsigned<D>>(~Unsigned<D>{0}) >>
                                             (std::is_signed_v<D> ? 1 : 0));
template <class D>
inline constexpr D kLowest = static_cast<D>(std::is_signed_v<D> ? static_cast<D>(-kHighest<D> - 1) : D{0});

/// Sign- or zero-extends an integer result that is narrower than its register.
template <class D, class A>
const Operation* resize(Warp& warp, const Operation* op) {
  using R = InRegister<D>;
  map1<R, A>(warp, op->d, op->a, [](A a) { return static_cast<R>(static_cast<D>(a)); });
  return op + 1;
}

/// All lanes of an integer register, extended to 64 bits.
void load_integers(Warp& warp, std::uint32_t offset, Type type, std::uint64_t* x) {
  if (ptx::size_of(type) == 8) {
    const std::uint64_t* a = slots<std::uint64_t>(warp, offset);
    WB_LANES x[lane] = a[lane];
    return;
  }
  const std::uint32_t* a = slots<std::uint32_t>(warp, offset);
  const unsigned up = 64 - 8 * ptx::size_of(type);
  if (is_signed(type)) {
    WB_LANES x[lane] = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::uint64_t{a[lane]} << up) >> up);
  } else {
    WB_LANES x[lane] = (std::uint64_t{a[lane]} << up) >> up;
  }
}

/// cvt.sat between integers: clamped to the destination's range.
const Operation* resize_saturated(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  const Type to = m.types[0];
  const unsigned bits = 8 * ptx::size_of(to);
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - bits + (is_signed(to) ? 1 : 0));
  const std::int64_t lowest = is_signed(to) ? -static_cast<std::int64_t>(highest) - 1 : 0;
  alignas(64) std::uint64_t x[kWarpSize];
  load_integers(warp, op->a, m.types[1], x);
  if (is_signed(m.types[1])) {
    WB_LANES {
      const auto value = static_cast<std::int64_t>(x[lane]);
      const auto capped = value > 0 && x[lane] > highest ? static_cast<std::int64_t>(highest) : value;
      x[lane] = static_cast<std::uint64_t>(capped < lowest ? lowest : capped);
    }
  } else {
    WB_LANES x[lane] = x[lane] > highest ? highest : x[lane];
  }
  store_lanes(warp, op->d, ptx::size_of(to), x);
  return op + 1;
}

/// An integral number to D: out-of-range values give the nearest limit, NaN what the hardware gives.
template <class D, class T>
inline D to_integer(T x, bool from_double) {
  // One past the highest value, and the lowest value: powers of two, exact in T.
  constexpr T past = T(std::is_signed_v<D> ? 1 : 2) * T(Unsigned<D>{1} << (8 * sizeof(D) - 1));
  constexpr T lowest = std::is_signed_v<D> ? -past : T(0);
  const bool inside = (x >= lowest) & (x < past);
  using Via = std::conditional_t<(sizeof(D) < 4), std::int32_t, D>;
  const D value = static_cast<D>(static_cast<Via>(inside ? x : T(0)));
  const D outside = x >= past ? kHighest<D> : kLowest<D>;
  // NOLINTNEXTLINE(misc-redundant-expression): a NaN, in vectors
  return inside ? value : x == x ? outside : nan_value<D>(from_double);
}

/// The usual conversions: from f32 or f64 to 32 and 64 bits, to nearest or towards zero.
template <class D, class A, Rounding R>
const Operation* to_integer_directly(Warp& warp, const Operation* op) {
  map1<D, A>(warp, op->d, op->a, [](A a) {
    // The conversion itself truncates, and truncation cannot leave the range.
    const A x = R == Rounding::rzi ? a : round_integral<R>(a);
    return to_integer<D>(x, sizeof(A) == 8);
  });
  return op + 1;
}

const Operation* to_integer_in_steps(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  alignas(64) double x[kWarpSize];
  alignas(64) std::uint64_t out[kWarpSize];
  load_doubles(warp, op->a, m.types[1], m.ftz, x);
  round_lanes(x, m.rounding);
  const bool wide = m.types[1] == Type::f64;
  switch (m.types[0]) {
    case Type::u8:
      WB_LANES out[lane] = to_integer<std::uint8_t>(x[lane], wide);
      break;
    case Type::s8:
      WB_LANES out[lane] = static_cast<std::uint64_t>(std::int64_t{to_integer<std::int8_t>(x[lane], wide)});
      break;
    case Type::u16:
      WB_LANES out[lane] = to_integer<std::uint16_t>(x[lane], wide);
      break;
    case Type::s16:
      WB_LANES out[lane] = static_cast<std::uint64_t>(std::int64_t{to_integer<std::int16_t>(x[lane], wide)});
      break;
    case Type::u32:
      WB_LANES out[lane] = to_integer<std::uint32_t>(x[lane], wide);
      break;
    case Type::s32:
      WB_LANES out[lane] = static_cast<std::uint64_t>(std::int64_t{to_integer<std::int32_t>(x[lane], wide)});
      break;
    case Type::u64:
      WB_LANES out[lane] = to_integer<std::uint64_t>(x[lane], wide);
      break;
    default:
      WB_LANES out[lane] = static_cast<std::uint64_t>(to_integer<std::int64_t>(x[lane], wide));
      break;
  }
  store_lanes(warp, op->d, ptx::size_of(m.types[0]), out);
  return op + 1;
}

template <class A, Rounding R>
Handler to_integer_handler(Type type) {
  return for_wide_integer(type, []<class D>(Tag<D>) -> Handler { return to_integer_directly<D, A, R>; });
}

/// Converts a sign and magnitude to a format by integer arithmetic alone, rounded once.
template <class F, Rounding R>
inline std::uint64_t round_integer(std::uint64_t magnitude, bool negative) {
  if (magnitude == 0) return 0;
  constexpr int mantissa = F::kMantissa;
  constexpr std::uint64_t infinity = static_cast<std::uint64_t>(2 * F::kBias + 1) << mantissa;
  const int top = 63 - __builtin_clzll(magnitude), shift = top - mantissa;
  std::uint64_t kept = magnitude << (shift < 0 ? -shift : 0), rest = 0, half = 1;
  if (shift > 0) {
    kept = magnitude >> shift;
    rest = magnitude & ((std::uint64_t{1} << shift) - 1);
    half = std::uint64_t{1} << (shift - 1);
  }
  bool up = false;
  if (R == Rounding::rn)
    up = rest > half || (rest == half && (kept & 1u));
  else if (R == Rounding::rp)
    up = rest && !negative;
  else if (R == Rounding::rm)
    up = rest && negative;
  std::uint64_t result = (static_cast<std::uint64_t>(top + F::kBias - 1) << mantissa) + kept + (up ? 1 : 0);
  if (result >= infinity) {
    const bool away = R == Rounding::rn || (R == Rounding::rp && !negative) || (R == Rounding::rm && negative);
    result = away ? infinity : infinity - 1;
  }
  constexpr int sign = mantissa == 52 ? 63 : mantissa == 23 ? 31 : 15;
  return result | static_cast<std::uint64_t>(negative) << sign;
}

template <class F, Rounding R>
void round_integers(std::uint64_t* x, bool with_sign) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const bool negative = with_sign && (x[lane] >> 63);
    x[lane] = round_integer<F, R>(negative ? 0 - x[lane] : x[lane], negative);
  }
}
template <class F>
void round_integers(std::uint64_t* x, bool with_sign, Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return round_integers<F, Rounding::rz>(x, with_sign);
    case Rounding::rm:
      return round_integers<F, Rounding::rm>(x, with_sign);
    case Rounding::rp:
      return round_integers<F, Rounding::rp>(x, with_sign);
    default:
      return round_integers<F, Rounding::rn>(x, with_sign);
  }
}

const Operation* from_integer_in_steps(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  const bool with_sign = is_signed(m.types[1]);
  alignas(64) std::uint64_t x[kWarpSize];
  load_integers(warp, op->a, m.types[1], x);
  if (m.sat) {  // An integer saturates to 0 or 1.
    WB_LANES x[lane] = x[lane] == 0 || (with_sign && (x[lane] >> 63)) ? 0 : 1;
  }
  switch (m.types[0]) {
    case Type::f64:
      round_integers<Double>(x, with_sign, m.rounding);
      break;
    case Type::f32:
      round_integers<Single>(x, with_sign, m.rounding);
      break;
    case Type::f16:
      round_integers<F16>(x, with_sign, m.rounding);
      break;
    default:
      round_integers<Bf16>(x, with_sign, m.rounding);
      break;
  }
  store_lanes(warp, op->d, ptx::size_of(m.types[0]), x);
  return op + 1;
}

template <class D, class A>
const Operation* from_integer_directly(Warp& warp, const Operation* op) {
  map1<D, A>(warp, op->d, op->a, [](A a) { return static_cast<D>(a); });
  return op + 1;
}

template <class D>
inline std::uint32_t clamp_to(std::int32_t a) {
  constexpr std::int32_t lowest = kLowest<D>, highest = kHighest<D>;
  return static_cast<Unsigned<D>>(a < lowest ? lowest : a > highest ? highest : a);
}
/// Two 16-bit results, the first operand's in the high half.
template <class D>
struct PackPair {
  std::uint32_t operator()(std::int32_t a, std::int32_t b) const { return clamp_to<D>(a) << 16 | clamp_to<D>(b); }
};
/// Two bytes in the low half; the low half of c moves to the high half.
template <class D>
struct PackInto {
  std::uint32_t operator()(std::int32_t a, std::int32_t b, std::uint32_t c) const {
    return c << 16 | clamp_to<D>(a) << 8 | clamp_to<D>(b);
  }
};

}  // namespace

Handler resolve_cvt_integer(const Modifiers& m) {
  if (m.sat) return resize_saturated;
  return for_any_integer(m.types[0], [&]<class D>(Tag<D>) {
    return for_any_integer(m.types[1], [&]<class A>(Tag<A>) -> Handler {
      // The signedness of the destination matters only if it is narrower than its register.
      using To = std::conditional_t<(sizeof(D) < 4), D, Unsigned<D>>;
      return resize<To, A>;
    });
  });
}
Handler resolve_cvt_to_integer(const Modifiers& m) {
  const bool single = m.types[1] == Type::f32, wide = ptx::size_of(m.types[0]) >= 4;
  if (wide && !m.ftz && (single || m.types[1] == Type::f64)) {
    if (m.rounding == Rounding::rzi) {
      return single ? to_integer_handler<float, Rounding::rzi>(m.types[0])
                    : to_integer_handler<double, Rounding::rzi>(m.types[0]);
    }
    if (m.rounding == Rounding::rni) {
      return single ? to_integer_handler<float, Rounding::rni>(m.types[0])
                    : to_integer_handler<double, Rounding::rni>(m.types[0]);
    }
  }
  return to_integer_in_steps;
}
Handler resolve_cvt_from_integer(const Modifiers& m) {
  if (m.rounding == Rounding::rn && !m.sat && ptx::size_of(m.types[1]) >= 4 && ptx::size_of(m.types[0]) >= 4) {
    return for_wide_integer(m.types[1], [&]<class A>(Tag<A>) -> Handler {
      return m.types[0] == Type::f64 ? from_integer_directly<double, A> : from_integer_directly<float, A>;
    });
  }
  return from_integer_in_steps;
}
Handler resolve_cvt_pack(const Modifiers& m) {
  using S = std::int32_t;
  return m.types[0] == Type::s16 ? Handler(binary<std::uint32_t, S, S, PackPair<std::int16_t>>)
                                 : Handler(binary<std::uint32_t, S, S, PackPair<std::uint16_t>>);
}
Handler resolve_cvt_pack_into(const Modifiers& m) {
  using S = std::int32_t;
  using U = std::uint32_t;
  return m.types[0] == Type::s8 ? Handler(ternary<U, S, S, U, PackInto<std::int8_t>>)
                                : Handler(ternary<U, S, S, U, PackInto<std::uint8_t>>);
}

}  // namespace warpbook::simulator::operations::WB_ISA
