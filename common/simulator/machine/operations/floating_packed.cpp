// Two f32 in one 64-bit register (f32x2), and mixed precision: a half as an operand of single-precision arithmetic.
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

inline float low(std::uint64_t a) { return float_of(static_cast<std::uint32_t>(a)); }
inline float high(std::uint64_t a) { return float_of(static_cast<std::uint32_t>(a >> 32)); }
inline std::uint64_t join(float low, float high) {
  return bits_of(low) | static_cast<std::uint64_t>(bits_of(high)) << 32;
}

template <class F>
struct OnPairs {
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return join(F{}(low(a), low(b)), F{}(high(a), high(b)));
  }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    return join(F{}(low(a), low(b), low(c)), F{}(high(a), high(b), high(c)));
  }
};

template <class F>
Handler pairs2(const Modifiers& m) {
  using U = std::uint64_t;
  return for_rounding(m.rounding, [&]<Rounding R>(Mode<R>) -> Handler {
    return m.ftz ? binary_rounded<R, U, U, U, OnPairs<OnSingles<F, true, false>>>
                 : binary_rounded<R, U, U, U, OnPairs<OnSingles<F, false, false>>>;
  });
}

/// A half is exact in f32, so mixed precision is single precision on widened operands.
template <class H, class F>
struct MixedSecond {
  float operator()(std::uint16_t a, float b) const { return F{}(H::widen(a), b); }
};
template <class H, class F>
struct MixedThird {
  float operator()(std::uint16_t a, std::uint16_t b, float c) const { return F{}(H::widen(a), H::widen(b), c); }
};

template <class F>
Handler mixed2(const Modifiers& m) {
  const bool brain = m.types[1] == Type::bf16;
  return for_single(m, [brain]<Rounding R, bool Ftz, bool Sat>() -> Handler {
    using S = OnSingles<F, false, Sat>;
    return brain ? binary_rounded<R, float, std::uint16_t, float, MixedSecond<Bf16, S>>
                 : binary_rounded<R, float, std::uint16_t, float, MixedSecond<F16, S>>;
  });
}

}  // namespace

Handler resolve_add_f32x2(const Modifiers& m) { return pairs2<AddIeee>(m); }
Handler resolve_sub_f32x2(const Modifiers& m) { return pairs2<SubtractIeee>(m); }
Handler resolve_mul_f32x2(const Modifiers& m) { return pairs2<MultiplyIeee>(m); }
Handler resolve_fma_f32x2(const Modifiers& m) {
  using U = std::uint64_t;
  return for_rounding(m.rounding, [&]<Rounding R>(Mode<R>) -> Handler {
    using F = FusedIeee<R>;
    return m.ftz ? ternary_rounded<F::kMode, U, U, U, U, OnPairs<OnSingles<F, true, false>>>
                 : ternary_rounded<F::kMode, U, U, U, U, OnPairs<OnSingles<F, false, false>>>;
  });
}
Handler resolve_add_mixed(const Modifiers& m) { return mixed2<AddIeee>(m); }
Handler resolve_sub_mixed(const Modifiers& m) { return mixed2<SubtractIeee>(m); }
Handler resolve_fma_mixed(const Modifiers& m) {
  const bool brain = m.types[1] == Type::bf16;
  return for_single(m, [brain]<Rounding R, bool Ftz, bool Sat>() -> Handler {
    using F = FusedIeee<R>;
    using S = OnSingles<F, false, Sat>;
    using H = std::uint16_t;
    return brain ? ternary_rounded<F::kMode, float, H, H, float, MixedThird<Bf16, S>>
                 : ternary_rounded<F::kMode, float, H, H, float, MixedThird<F16, S>>;
  });
}

}  // namespace warpbook::simulator::operations::WB_ISA
