// Double precision: add, sub, mul, fma, mad, div, rcp, sqrt in all rounding modes.
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class F>
Handler doubles1(const Modifiers& m) {
  return for_rounding(m.rounding, []<Rounding R>(Mode<R>) -> Handler { return unary_rounded<R, double, double, F>; });
}
template <class F>
Handler doubles2(const Modifiers& m) {
  return for_rounding(m.rounding, []<Rounding R>(Mode<R>) -> Handler { return binary_rounded<R, double, double, double, F>; });
}
Handler fused(const Modifiers& m) {
  return for_rounding(m.rounding, []<Rounding R>(Mode<R>) -> Handler {
    return ternary_rounded<R, double, double, double, double, FusedIeee<R>>;
  });
}

}  // namespace

Handler resolve_add_f64(const Modifiers& m) { return doubles2<AddIeee>(m); }
Handler resolve_sub_f64(const Modifiers& m) { return doubles2<SubtractIeee>(m); }
Handler resolve_mul_f64(const Modifiers& m) { return doubles2<MultiplyIeee>(m); }
Handler resolve_fma_f64(const Modifiers& m) { return fused(m); }
Handler resolve_mad_f64(const Modifiers& m) { return fused(m); }
Handler resolve_div_f64(const Modifiers& m) { return doubles2<DivideIeee>(m); }
Handler resolve_rcp_f64(const Modifiers& m) { return doubles1<ReciprocalIeee>(m); }
Handler resolve_sqrt_f64(const Modifiers& m) { return doubles1<SquareRootIeee>(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
