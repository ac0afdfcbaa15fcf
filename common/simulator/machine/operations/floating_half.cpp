// Half precision (f16, bf16 and their pairs): add, sub, mul, fma, computed in a wider type and rounded once.
//
// Why one rounding from the wider type is correct:
// - f16 add, sub, mul in single precision: 24 bits are at least 2 * 11 + 2, so rounding to single first cannot change
//   the second rounding (Figueroa). Subnormal results are exact before it: sums are multiples of 2^-24, and a product
//   that small has at most 22 bits.
// - bf16 add, sub in single precision: 24 >= 2 * 8 + 2, and both formats have the same range; subnormal sums are exact.
//   Products below 2^-126 could be rounded twice, so they are computed in double precision, where 16 bits are always
//   exact, and rounded to odd in single precision.
// - fma: the product of two halves is exact in double precision; the sum is rounded to odd there (multiply_add_odd) and
//   again in single precision (single_odd). Rounding that to 11 or 8 bits is the same as rounding the exact value.
#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <bool Ftz>
inline std::uint32_t flush16(std::uint32_t h) {
  if constexpr (Ftz)
    return (h & 0x7c00u) == 0 ? h & 0x8000u : h;
  else
    return h;
}

/// .ftz, .sat (to [0, 1], NaN to +0) and .relu (negatives to +0, NaN stays) of a rounded result.
template <class H, bool Ftz, bool Sat, bool Relu>
inline std::uint16_t finish16(std::uint32_t h) {
  const std::uint32_t negative = 0u - (h >> 15), nan = (h & 0x7fffu) > H::kInfinity ? 0xffffffffu : 0u;  // Used as
                                                                                                         // masks.
  h = flush16<Ftz>(h);
  if constexpr (Sat) {
    h &= ~(negative | nan);
    h = h > H::kOne ? H::kOne : h;
  }
  if constexpr (Relu) h &= ~negative | nan;
  return static_cast<std::uint16_t>(h);
}

/// To a half. .ftz flushes what is tiny after rounding to 11 bits with unlimited exponent range: below the midpoint
/// between 2^-14 and the next smaller 11-bit number. bf16 has no .ftz.
template <class H, bool Ftz>
inline std::uint32_t narrow_flushed(float x) {
  const std::uint32_t h = H::narrow(x), bits = bits_of(x);
  if constexpr (Ftz)
    return (bits & 0x7fffffffu) < 0x387ff000u ? (bits >> 16) & 0x8000u : h;
  else
    return h;
}

struct AddHalves {
  template <class H, bool Ftz>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    return narrow_flushed<H, Ftz>(H::widen(a) + H::widen(b));
  }
};
struct SubtractHalves {
  template <class H, bool Ftz>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    return narrow_flushed<H, Ftz>(H::widen(a) - H::widen(b));
  }
};
struct MultiplyHalves {
  template <class H, bool Ftz>
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    if constexpr (H::kMantissa == 10)
      return narrow_flushed<H, Ftz>(H::widen(a) * H::widen(b));
    else
      return narrow_flushed<H, Ftz>(single_odd(static_cast<double>(H::widen(a)) * H::widen(b)));
  }
};
template <class F, class H, bool Ftz, bool Sat, bool Relu>
struct OnHalf {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const {
    return finish16<H, Ftz, Sat, Relu>(F::template apply<H, Ftz>(flush16<Ftz>(a), flush16<Ftz>(b)));
  }
};
template <class F>
struct OnPair {
  using H = std::uint16_t;
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return F{}(static_cast<H>(a), static_cast<H>(b)) |
           static_cast<std::uint32_t>(F{}(static_cast<H>(a >> 16), static_cast<H>(b >> 16))) << 16;
  }
};

/// fma goes through f32, low halves first and then, if there are any, high halves: the compiler does not vectorise one
/// loop that does both.
template <class H, bool Ftz>
void widen_lanes(const std::uint32_t* from, unsigned shift, float* to) {
  WB_LANES to[lane] = H::widen(flush16<Ftz>((from[lane] >> shift) & 0xffffu));
}
template <class H, bool Ftz, bool Sat, bool Relu, bool Pair>
const Operation* fuse(Warp& warp, const Operation* op) {
  alignas(64) float a[kWarpSize], b[kWarpSize], c[kWarpSize], sum[kWarpSize];
  alignas(64) std::uint32_t result[kWarpSize] = {};
  for (unsigned shift = 0; shift <= (Pair ? 16u : 0u); shift += 16) {
    widen_lanes<H, Ftz>(slots<std::uint32_t>(warp, op->a), shift, a);
    widen_lanes<H, Ftz>(slots<std::uint32_t>(warp, op->b), shift, b);
    widen_lanes<H, Ftz>(slots<std::uint32_t>(warp, op->c), shift, c);
    WB_LANES sum[lane] = single_odd(multiply_add_odd(a[lane], b[lane], c[lane]));
    WB_LANES result[lane] |= static_cast<std::uint32_t>(finish16<H, Ftz, Sat, Relu>(narrow_flushed<H, Ftz>(sum[lane])))
                             << shift;
  }
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  const std::uint32_t* on = warp.exec_words();
  WB_LANES d[lane] = on[lane] ? result[lane] : d[lane];
  return op + 1;
}

/// Calls f.template operator()<H, Ftz, Sat, Relu>() for the type and modifiers; bf16 has neither .ftz nor .sat.
template <class F>
Handler for_half(const Modifiers& m, F f) {
  if (m.types[0] == Type::bf16 || m.types[0] == Type::bf16x2) {
    if (m.ftz || m.sat) return nullptr;
    return m.relu ? f.template operator()<Bf16, false, false, true>()
                  : f.template operator()<Bf16, false, false, false>();
  }
  if (m.relu) {
    if (m.sat) return nullptr;
    return m.ftz ? f.template operator()<F16, true, false, true>() : f.template operator()<F16, false, false, true>();
  }
  if (m.ftz)
    return m.sat ? f.template operator()<F16, true, true, false>() : f.template operator()<F16, true, false, false>();
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
    return packed(m) ? fuse<H, Ftz, Sat, Relu, true> : fuse<H, Ftz, Sat, Relu, false>;
  });
}

}  // namespace warpbook::simulator::operations::WB_ISA
