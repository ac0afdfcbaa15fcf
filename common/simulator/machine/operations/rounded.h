// Arithmetic of one lane in every rounding mode, and handlers that set the mode around their loop.
#pragma once

#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {

// .ftz flushes what is tiny after rounding to 24 bits with unlimited exponent range (checked on an H200): a product
// just below 2^-126 that rounds up to it is kept. Each function that can give such a result also computes it times
// 2^32, where the exponent range suffices. Sums need nothing: they are exact when they are that small.
constexpr float kScale = 0x1p32f, kScaledSmallest = 0x1p-94f;

struct AddIeee {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct SubtractIeee {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct MultiplyIeee {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
  static float scaled(float a, float b) { return (a * kScale) * b; }
};
struct DivideIeee {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
  static float scaled(float a, float b) { return (a * kScale) / b; }
};
struct ReciprocalIeee {
  template <class T>
  T operator()(T a) const {
    return T{1} / a;
  }
  static float scaled(float a) { return kScale / a; }
};
struct SquareRootIeee {
  float operator()(float a) const { return __builtin_sqrtf(a); }
  double operator()(double a) const { return __builtin_sqrt(a); }
};

/// a * b + c rounded once. Without the host instruction, single precision goes through a double rounded to odd, which
/// is then rounded by integer arithmetic if the mode is not to nearest; double precision uses the library.
template <Rounding R>
struct FusedIeee {
  double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
#if defined(__FMA__)
  static constexpr Rounding kMode = R;
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
#else
  static constexpr Rounding kMode = Rounding::rn;
  float operator()(float a, float b, float c) const {
    const double odd = multiply_add_odd(a, b, c);
    if constexpr (R == Rounding::rn) return static_cast<float>(odd);
    // The sign of an exact zero depends on the mode: it is the double's, unless it came from cancellation.
    const double zero =
        R == Rounding::rm && bits_of(static_cast<double>(a) * b) != bits_of(static_cast<double>(c)) ? -0.0 : odd;
    const float rounded = float_of(narrow_double<Single, R>(odd == 0.0 ? zero : odd));
    return odd == odd ? rounded : float_of(kNan32);
  }
#endif
  static float scaled(float a, float b, float c) { return FusedIeee{}(a * kScale, b, c * kScale); }
};

/// The NaN of an invalid operation on a GPU and on x86-64; 64-bit ARM's is positive.
constexpr std::uint64_t kMadeNan = 0xfff8000000000000u;

/// A NaN operand becomes quiet and keeps its payload.
inline double quiet_or(double x, double other) { return x == x ? other : double_of(bits_of(x) | 0x8000000000000u); }

/// Among several NaNs, the hardware's fused unit returns that of the second factor, then the addend's, then the first
/// factor's; it computes a + b as a * 1 + b.
template <Rounding R>
struct FusedKeepsNans {
  double operator()(double a, double b, double c) const {
    const double r = __builtin_fma(a, b, c);
    return r == r ? r : quiet_or(b, quiet_or(c, quiet_or(a, double_of(kMadeNan))));
  }
};

template <Rounding R, class D, class A, class F>
const Operation* unary_rounded(Warp& warp, const Operation* op) {
  const RoundingScope<R> scope;
  map1<D, A>(warp, op->d, op->a, F{});
  return op + 1;
}
template <Rounding R, class D, class A, class B, class F>
const Operation* binary_rounded(Warp& warp, const Operation* op) {
  const RoundingScope<R> scope;
  map2<D, A, B>(warp, op->d, op->a, op->b, F{});
  return op + 1;
}
template <Rounding R, class D, class A, class B, class C, class F>
const Operation* ternary_rounded(Warp& warp, const Operation* op) {
  const RoundingScope<R> scope;
  map3<D, A, B, C>(warp, op->d, op->a, op->b, op->c, F{});
  return op + 1;
}

/// F on f32 with .ftz for the operands and .ftz, .sat and the canonical NaN for the result.
template <class F, bool Ftz, bool Sat>
struct OnSingles {
  template <class... Args>
  float operator()(Args... args) const {
    const float result = F{}(flush<Ftz>(args)...);
    if constexpr (Ftz && requires { F::scaled(args...); }) {
      const std::uint32_t magnitude = bits_of(F::scaled(flush<Ftz>(args)...)) & 0x7fffffffu;
      // Only a tiny result can use the scaled one: a large number times 2^32 overflows.
      const bool small = (bits_of(result) & 0x7fffffffu) <= 0x00800000u;
      const bool tiny = small & (magnitude < bits_of(kScaledSmallest));
      return finish<Ftz, Sat>(float_of(tiny ? bits_of(result) & 0x80000000u : bits_of(result)));
    } else {
      return finish<Ftz, Sat>(result);
    }
  }
};

/// Calls f.template operator()<R, Ftz, Sat>() for the modifiers.
template <class F>
Handler for_single(const Modifiers& m, F f) {
  return for_rounding(m.rounding, [&]<Rounding R>(Mode<R>) -> Handler {
    if (m.ftz) return m.sat ? f.template operator()<R, true, true>() : f.template operator()<R, true, false>();
    return m.sat ? f.template operator()<R, false, true>() : f.template operator()<R, false, false>();
  });
}

}  // namespace warpbook::simulator::operations::WB_ISA
