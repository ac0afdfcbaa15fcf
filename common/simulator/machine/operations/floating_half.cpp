// Half precision (f16, bf16 and their pairs): add, sub, mul, fma, computed wider and rounded once.
//
// Why one rounding from the wider type is right:
// - f16 add, sub, mul in single precision: 24 bits are at least 2 * 11 + 2, so rounding to single first cannot change
//   the second rounding (Figueroa). Subnormal results are exact before it: sums are multiples of 2^-24, and a product
//   that small has at most 22 bits.
// - bf16 add, sub in single precision: 24 >= 2 * 8 + 2, and both formats have the same range; sums are exact where they
//   are subnormal. Products could be rounded twice below 2^-126, so they are made in double precision, where 16 bits
//   are always exact.
// - fma: the product of two halves is exact in double precision, and the sum is rounded to odd there
//   (multiply_add_odd), after which rounding to fewer than 52 bits is as good as from the exact value.
#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <bool Ftz>
inline std::uint32_t flush16(std::uint32_t h) {
  if constexpr (Ftz) return (h & 0x7c00u) == 0 ? h & 0x8000u : h;
  else return h;
}

/// .ftz, .sat (to [0, 1], NaN to +0) and .relu (negatives to +0, NaN stays) of a rounded result.
template <class H, bool Ftz, bool Sat, bool Relu>
inline std::uint16_t finish16(std::uint32_t h) {
  const bool negative = (h & 0x8000u) != 0, nan = (h & 0x7fffu) > H::kInfinity;
  h = flush16<Ftz>(h);
  if constexpr (Sat) {
    h = negative || nan ? 0u : h;
    h = h > H::kOne ? H::kOne : h;
  }
  if constexpr (Relu) h = negative && !nan ? 0u : h;
  return static_cast<std::uint16_t>(h);
}

template <class H>
inline std::uint32_t round_half(double x) {
  const std::uint32_t h = narrow_double<H, Rounding::rn>(x);
  return x == x ? h : kNan16;
}

struct AddHalves {
  template <class H>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return H::narrow(H::widen(a) + H::widen(b)); }
};
struct SubtractHalves {
  template <class H>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return H::narrow(H::widen(a) - H::widen(b)); }
};
struct MultiplyHalves {
  template <class H>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    if constexpr (H::kMantissa == 10) return H::narrow(H::widen(a) * H::widen(b));
    else return round_half<H>(static_cast<double>(H::widen(a)) * H::widen(b));
  }
};
struct FuseHalves {
  template <class H>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return round_half<H>(multiply_add_odd(H::widen(a), H::widen(b), H::widen(c)));
  }
};

template <class F, class H, bool Ftz, bool Sat, bool Relu>
struct OnHalf {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return finish16<H, Ftz, Sat, Relu>(F::template apply<H>(flush16<Ftz>(a), flush16<Ftz>(b)));
  }
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b, std::uint16_t c) const {
    return finish16<H, Ftz, Sat, Relu>(F::template apply<H>(flush16<Ftz>(a), flush16<Ftz>(b), flush16<Ftz>(c)));
  }
};
template <class F>
struct OnPair {
  using H = std::uint16_t;
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return F{}(static_cast<H>(a), static_cast<H>(b)) |
           static_cast<std::uint32_t>(F{}(static_cast<H>(a >> 16), static_cast<H>(b >> 16))) << 16;
  }
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return F{}(static_cast<H>(a), static_cast<H>(b), static_cast<H>(c)) |
           static_cast<std::uint32_t>(F{}(static_cast<H>(a >> 16), static_cast<H>(b >> 16), static_cast<H>(c >> 16))) << 16;
  }
};

/// f.template operator()<H, Ftz, Sat, Relu>() for the type and modifiers written; bf16 has neither .ftz nor .sat.
template <class F>
Handler for_half(const Modifiers& m, F f) {
  if (m.types[0] == Type::bf16 || m.types[0] == Type::bf16x2) {
    if (m.ftz || m.sat) return nullptr;
    return m.relu ? f.template operator()<Bf16, false, false, true>() : f.template operator()<Bf16, false, false, false>();
  }
  if (m.relu) {
    if (m.sat) return nullptr;
    return m.ftz ? f.template operator()<F16, true, false, true>() : f.template operator()<F16, false, false, true>();
  }
  if (m.ftz) return m.sat ? f.template operator()<F16, true, true, false>() : f.template operator()<F16, true, false, false>();
  return m.sat ? f.template operator()<F16, false, true, false>() : f.template operator()<F16, false, false, false>();
}

bool packed(const Modifiers& m) { return m.types[0] == Type::f16x2 || m.types[0] == Type::bf16x2; }

template <class F>
Handler halves2(const Modifiers& m) {
  return for_half(m, [&]<class H, bool Ftz, bool Sat, bool Relu>() -> Handler {
    using G = OnHalf<F, H, Ftz, Sat, Relu>;
    return packed(m) ? same2<std::uint32_t, OnPair<G>> : same2<std::uint16_t, G>;
  });
}

}  // namespace

Handler resolve_add_half(const Modifiers& m) { return halves2<AddHalves>(m); }
Handler resolve_sub_half(const Modifiers& m) { return halves2<SubtractHalves>(m); }
Handler resolve_mul_half(const Modifiers& m) { return halves2<MultiplyHalves>(m); }
Handler resolve_fma_half(const Modifiers& m) {
  return for_half(m, [&]<class H, bool Ftz, bool Sat, bool Relu>() -> Handler {
    using G = OnHalf<FuseHalves, H, Ftz, Sat, Relu>;
    return packed(m) ? same3<std::uint32_t, OnPair<G>> : same3<std::uint16_t, G>;
  });
}

}  // namespace warpbook::simulator::operations::WB_ISA
