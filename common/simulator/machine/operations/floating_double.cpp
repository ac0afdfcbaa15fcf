// Double precision: add, sub, mul, fma, mad, div, rcp, sqrt in all rounding modes.
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// The NaN of an invalid operation, as a GPU and x86-64 have it; 64-bit ARM's is positive.
constexpr std::uint64_t kMadeNan = 0xfff8000000000000u;

/// A NaN operand comes out quiet and with its payload. Of several the hardware's fused unit takes the second factor,
/// then the addend, then the first factor; a + b is a * 1 + b there. Division takes the first.
inline double quiet_or(double x, double other) { return x == x ? other : double_of(bits_of(x) | 0x8000000000000u); }

template <class F>
struct KeepNans {
  double operator()(double a, double b) const {
    const double r = F{}(a, b);
    return r == r ? r : quiet_or(b, quiet_or(a, double_of(kMadeNan)));
  }
  double operator()(double a, double b, double c) const {
    const double r = F{}(a, b, c);
    return r == r ? r : quiet_or(b, quiet_or(c, quiet_or(a, double_of(kMadeNan))));
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
Handler fused(const Modifiers& m) {
  return for_rounding(m.rounding, []<Rounding R>(Mode<R>) -> Handler {
    return ternary_rounded<R, double, double, double, double, KeepNans<FusedIeee<R>>>;
  });
}

}  // namespace

Handler resolve_add_f64(const Modifiers& m) { return doubles2<KeepNans<AddIeee>>(m); }
Handler resolve_sub_f64(const Modifiers& m) { return doubles2<KeepNans<SubtractIeee>>(m); }
Handler resolve_mul_f64(const Modifiers& m) { return doubles2<KeepNans<MultiplyIeee>>(m); }
Handler resolve_fma_f64(const Modifiers& m) { return fused(m); }
Handler resolve_mad_f64(const Modifiers& m) { return fused(m); }
Handler resolve_div_f64(const Modifiers& m) { return doubles2<KeepFirstNan<DivideIeee>>(m); }
Handler resolve_rcp_f64(const Modifiers& m) { return doubles1<KeepFirstNan<ReciprocalIeee>>(m); }
Handler resolve_sqrt_f64(const Modifiers& m) { return doubles1<KeepFirstNan<SquareRootIeee>>(m); }

}  // namespace warpbook::simulator::operations::WB_ISA
