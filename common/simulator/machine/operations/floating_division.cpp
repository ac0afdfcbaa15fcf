// Single precision, correctly rounded: div, rcp, sqrt in all rounding modes.
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class F>
Handler singles1(const Modifiers& m) {
  return for_rounding(m.rounding, [&]<Rounding R>(Mode<R>) -> Handler {
    return m.ftz ? unary_rounded<R, float, float, OnSingles<F, true, false>>
                 : unary_rounded<R, float, float, OnSingles<F, false, false>>;
  });
}

}  // namespace

Handler resolve_div_f32(const Modifiers& m) {
  return for_rounding(m.rounding, [&]<Rounding R>(Mode<R>) -> Handler {
    return m.ftz ? binary_rounded<R, float, float, float, OnSingles<DivideIeee, true, false>>
                 : binary_rounded<R, float, float, float, OnSingles<DivideIeee, false, false>>;
  });
}
Handler resolve_rcp_f32(const Modifiers& m) { return singles1<ReciprocalIeee>(m); }
Handler resolve_sqrt_f32(const Modifiers& m) { return singles1<SquareRootIeee>(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
