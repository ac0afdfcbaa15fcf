// Single precision: add, sub, mul, fma, mad in all rounding modes, with .ftz and .sat.
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class F>
Handler singles2(const Modifiers& m) {
  return for_single(m, []<Rounding R, bool Ftz, bool Sat>() -> Handler {
    return binary_rounded<R, float, float, float, OnSingles<F, Ftz, Sat>>;
  });
}

Handler fused(const Modifiers& m) {
  return for_single(m, []<Rounding R, bool Ftz, bool Sat>() -> Handler {
    using F = FusedIeee<R>;
    return ternary_rounded<F::kMode, float, float, float, float, OnSingles<F, Ftz, Sat>>;
  });
}

}  // namespace

Handler resolve_add_f32(const Modifiers& m) { return singles2<AddIeee>(m); }
Handler resolve_sub_f32(const Modifiers& m) { return singles2<SubtractIeee>(m); }
Handler resolve_mul_f32(const Modifiers& m) { return singles2<MultiplyIeee>(m); }
Handler resolve_fma_f32(const Modifiers& m) { return fused(m); }
Handler resolve_mad_f32(const Modifiers& m) { return fused(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
