// Double precision: add, sub, mul, fma, mad, div, rcp, sqrt in all rounding modes.
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// Which NaN the fused unit returns. Division returns that of the first operand.
template <class F>
struct KeepNans {
  double operator()(double a, double b) const {
    const double r = F{}(a, b);
    return r == r ? r : quiet_or(b, quiet_or(a, double_of(kMadeNan)));
  }
};
template <class F>
struct KeepFirstNan {
  double operator()(double a) const {
    const double r = F{}(a);
    return r == r ? r : quiet_or(a, double_of(kMadeNan));
  }
  double operator()(double a, double b) const {
    const double r = F{}(a, b);
    return r == r ? r : quiet_or(a, quiet_or(b, double_of(kMadeNan)));
  }
};

template <class F>
Handler doubles1(const Modifiers& m) {
  return for_rounding(m.rounding, []<Rounding R>(Mode<R>) -> Handler { return unary_rounded<R, double, double, F>; });
}
template <class F>
Handler doubles2(const Modifiers& m) {
  return for_rounding(m.rounding,
                      []<Rounding R>(Mode<R>) -> Handler { return binary_rounded<R, double, double, double, F>; });
}
Handler fused_double(const Modifiers& m) {
  return for_rounding(m.rounding, []<Rounding R>(Mode<R>) -> Handler {
    return ternary_rounded<R, double, double, double, double, FusedKeepsNans<R>>;
  });
}

}  // namespace

Handler resolve_add_f64(const Modifiers& m) { return doubles2<KeepNans<AddIeee>>(m); }
Handler resolve_sub_f64(const Modifiers& m) { return doubles2<KeepNans<SubtractIeee>>(m); }
Handler resolve_mul_f64(const Modifiers& m) { return doubles2<KeepNans<MultiplyIeee>>(m); }
Handler resolve_fma_f64(const Modifiers& m) { return fused_double(m); }
Handler resolve_mad_f64(const Modifiers& m) { return fused_double(m); }
Handler resolve_div_f64(const Modifiers& m) { return doubles2<KeepFirstNan<DivideIeee>>(m); }
Handler resolve_rcp_f64(const Modifiers& m) { return doubles1<KeepFirstNan<ReciprocalIeee>>(m); }
Handler resolve_sqrt_f64(const Modifiers& m) { return doubles1<KeepFirstNan<SquareRootIeee>>(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
