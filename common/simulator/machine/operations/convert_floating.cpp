// Conversions between floating-point types: cvt, including packed halves and tf32.
#include "common/simulator/machine/operations/convert.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// Clamps to [0, 1], NaN to +0.
template <class T>
inline T saturate(T x) {
  const T low = x > T(0) ? x : T(0);
  return low < T(1) ? low : T(1);
}

/// f32 to a half: rounded once. .relu: negatives to +0. .satfinite: the largest finite number instead of infinity.
template <class H, Rounding R, bool Relu, bool SatFinite>
struct ToHalf {
  std::uint16_t operator()(float a) const {
    std::uint32_t h;
    if constexpr (R == Rounding::rn) {
      h = H::narrow(a);
    } else {
      h = narrow_double<H, R>(a);
      h = a == a ? h : kNan16;
    }
    const bool nan = !(a == a);
    if constexpr (SatFinite) h = (h & 0x7fffu) == H::kInfinity ? (h & 0x8000u) | H::kLargest : h;
    if constexpr (Relu) h = (h & 0x8000u) && !nan ? 0u : h;
    return static_cast<std::uint16_t>(h);
  }
};
/// The first operand goes to the high half.
template <class F>
struct ToPair {
  std::uint32_t operator()(float a, float b) const { return static_cast<std::uint32_t>(F{}(a)) << 16 | F{}(b); }
};

template <class H, Rounding R>
Handler half_handler(const Modifiers& m) {
  if (m.relu) {
    return m.satfinite ? unary<std::uint16_t, float, ToHalf<H, R, true, true>>
                       : unary<std::uint16_t, float, ToHalf<H, R, true, false>>;
  }
  return m.satfinite ? unary<std::uint16_t, float, ToHalf<H, R, false, true>>
                     : unary<std::uint16_t, float, ToHalf<H, R, false, false>>;
}
template <class H, Rounding R>
Handler pair_handler(const Modifiers& m) {
  using U = std::uint32_t;
  if (m.relu) {
    return m.satfinite ? binary<U, float, float, ToPair<ToHalf<H, R, true, true>>>
                       : binary<U, float, float, ToPair<ToHalf<H, R, true, false>>>;
  }
  return m.satfinite ? binary<U, float, float, ToPair<ToHalf<H, R, false, true>>>
                     : binary<U, float, float, ToPair<ToHalf<H, R, false, false>>>;
}

/// Rounds all lanes from doubles to format F. NaN becomes @p nan, or, from .f64 (@p keep), a quiet NaN with its sign
/// and as much of its payload as fits.
template <class F, Rounding R>
void narrow_lanes(const double* x, std::uint64_t* out, std::uint64_t nan, bool keep) {
  constexpr int sign = F::kMantissa == 23 ? 32 : 48;
  constexpr std::uint64_t quiet =
      ((std::uint64_t{2} * F::kBias + 1) << F::kMantissa) | (std::uint64_t{1} << (F::kMantissa - 1));
  WB_LANES {
    const std::uint64_t bits = narrow_double<F, R>(x[lane]), wide = bits_of(x[lane]);
    const std::uint64_t payload = (wide & 0xfffffffffffffu) >> (52 - F::kMantissa);
    const std::uint64_t kept = ((wide & 0x8000000000000000u) >> sign) | quiet | payload;
    out[lane] = x[lane] == x[lane] ? bits : keep ? kept : nan;
  }
}
template <class F>
void narrow_lanes(const double* x, Rounding rounding, std::uint64_t* out, std::uint64_t nan, bool keep) {
  switch (rounding) {
    case Rounding::rz:
      return narrow_lanes<F, Rounding::rz>(x, out, nan, keep);
    case Rounding::rm:
      return narrow_lanes<F, Rounding::rm>(x, out, nan, keep);
    case Rounding::rp:
      return narrow_lanes<F, Rounding::rp>(x, out, nan, keep);
    default:
      return narrow_lanes<F, Rounding::rn>(x, out, nan, keep);
  }
}

/// All conversions between formats, by way of doubles. .ftz affects f32 only, as source or destination.
const Operation* convert_in_steps(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  alignas(64) double x[kWarpSize];
  alignas(64) std::uint64_t out[kWarpSize];
  load_doubles(warp, op->a, m.types[1], m.ftz, x);
  round_lanes(x, m.rounding);
  if (m.sat) {
    WB_LANES x[lane] = saturate(x[lane]);
  }
  const bool keep = m.types[1] == Type::f64;
  switch (m.types[0]) {
    case Type::f64:
      WB_LANES {
        const std::uint64_t quiet = m.ftz ? 0x7fffffffe0000000u : bits_of(x[lane]) | 0x8000000000000u;
        out[lane] = x[lane] == x[lane] ? bits_of(x[lane]) : quiet;
      }
      break;
    case Type::f32:
      narrow_lanes<Single>(x, m.rounding, out, kNan32, keep);
      if (m.ftz) {  // Flushes what is tiny after rounding with unlimited exponent range: see rounded.h.
        alignas(64) std::uint64_t scaled[kWarpSize];
        WB_LANES x[lane] *= 0x1p32;
        narrow_lanes<Single>(x, m.rounding, scaled, kNan32, keep);
        WB_LANES out[lane] = (scaled[lane] & 0x7fffffffu) < 0x10800000u ? out[lane] & 0x80000000u : out[lane];
      }
      break;
    case Type::f16:
      narrow_lanes<F16>(x, m.rounding, out, kNan16, keep);
      break;
    default:
      narrow_lanes<Bf16>(x, m.rounding, out, kNan16, keep);
      break;
  }
  store_lanes(warp, op->d, ptx::size_of(m.types[0]), out);
  return op + 1;
}

/// The frequent conversions, without a double in between.
struct WidenHalf {
  float operator()(std::uint16_t a) const {
    const float x = F16::widen(a);
    return x == x ? x : float_of(kNan32);
  }
};
/// A NaN keeps its payload, as on a CPU.
struct Shorten {
  float operator()(double a) const { return static_cast<float>(a); }
};
struct Lengthen {
  double operator()(float a) const { return a; }
};
/// bf16 is the upper half of an f32: not even a signalling NaN changes.
struct WidenBrain {
  float operator()(std::uint16_t a) const { return Bf16::widen(a); }
};
struct Same {
  std::uint32_t operator()(std::uint32_t a) const { return a; }
};

template <bool Relu, bool SatFinite, Rounding R>
struct ToTf32 {
  std::uint32_t operator()(float a) const {
    const std::uint32_t bits = bits_of(a), magnitude = bits & 0x7fffffffu;
    std::uint32_t rounded = bits;
    if constexpr (R == Rounding::rna) rounded = magnitude < 0x7f800000u ? bits + 0x1000u : bits;
    if constexpr (R == Rounding::rn) rounded = bits + 0xfffu + ((bits >> 13) & 1u);
    rounded &= ~0x1fffu;
    if constexpr (SatFinite) rounded = (rounded & 0x7f800000u) == 0x7f800000u ? rounded - 0x2000u : rounded;
    // .rna treats a NaN like a number; the other modes have one NaN.
    if constexpr (R != Rounding::rna)
      rounded = magnitude > 0x7f800000u ? 0x7fffe000u : magnitude == 0x7f800000u ? bits : rounded;
    if constexpr (Relu) rounded = (bits & 0x80000000u) && magnitude <= 0x7f800000u ? 0u : rounded;
    return rounded;
  }
};
template <Rounding R>
Handler tf32_handler(const Modifiers& m) {
  if (m.relu) {
    return m.satfinite ? unary<std::uint32_t, float, ToTf32<true, true, R>>
                       : unary<std::uint32_t, float, ToTf32<true, false, R>>;
  }
  return m.satfinite ? unary<std::uint32_t, float, ToTf32<false, true, R>>
                     : unary<std::uint32_t, float, ToTf32<false, false, R>>;
}

}  // namespace

Handler resolve_cvt_floating(const Modifiers& m) {
  const bool half = m.types[0] == Type::f16 || m.types[0] == Type::bf16;
  const bool plain = !m.ftz && !m.sat;
  if (half && m.types[1] == Type::f32 && plain && (m.rounding == Rounding::rn || m.rounding == Rounding::rz)) {
    const bool brain = m.types[0] == Type::bf16;
    if (m.rounding == Rounding::rn)
      return brain ? half_handler<Bf16, Rounding::rn>(m) : half_handler<F16, Rounding::rn>(m);
    return brain ? half_handler<Bf16, Rounding::rz>(m) : half_handler<F16, Rounding::rz>(m);
  }
  if (m.relu || m.satfinite) return nullptr;
  // Between formats of different sizes, a rounding mode is given exactly if the result is the smaller one.
  const bool narrower = ptx::size_of(m.types[0]) < ptx::size_of(m.types[1]), same = m.types[0] == m.types[1];
  const bool other16 = !same && ptx::size_of(m.types[0]) == ptx::size_of(m.types[1]);
  const bool integral = m.rounding >= Rounding::rni && m.rounding <= Rounding::rpi;
  const bool rounds = m.rounding != Rounding::none && !integral;
  // From .bf16, and between the two half formats, it is optional; the default is to nearest even.
  const bool either = other16 || (m.types[1] == Type::bf16 && !same);
  if (integral ? !same : rounds != narrower && !either) return nullptr;
  if (m.types[0] == Type::f32 && plain && !same) {
    if (m.types[1] == Type::f16 && !rounds) return unary<float, std::uint16_t, WidenHalf>;
    if (m.types[1] == Type::bf16) return unary<float, std::uint16_t, WidenBrain>;
  }
  if (plain && m.types[0] == Type::f64 && m.types[1] == Type::f32) return unary<double, float, Lengthen>;
  if (plain && m.types[0] == Type::f32 && m.types[1] == Type::f64 && m.rounding == Rounding::rn)
    return unary<float, double, Shorten>;
  if (plain && same && m.types[0] == Type::f32 && m.rounding == Rounding::none)
    return unary<std::uint32_t, std::uint32_t, Same>;
  return convert_in_steps;
}
Handler resolve_cvt_half_pair(const Modifiers& m) {
  const bool brain = m.types[0] == Type::bf16x2;
  if (m.rounding == Rounding::rn)
    return brain ? pair_handler<Bf16, Rounding::rn>(m) : pair_handler<F16, Rounding::rn>(m);
  return brain ? pair_handler<Bf16, Rounding::rz>(m) : pair_handler<F16, Rounding::rz>(m);
}
Handler resolve_cvt_tf32(const Modifiers& m) {
  switch (m.rounding) {
    case Rounding::rna:
      return tf32_handler<Rounding::rna>(m);
    case Rounding::rn:
      return tf32_handler<Rounding::rn>(m);
    case Rounding::rz:
      return tf32_handler<Rounding::rz>(m);
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA
