// What conversions share: reading operands, rounding to integral values, and results in wider registers.
//
// There are some 500 conversions. The few that programs use in loops have handlers of their own. The others work in
// steps (all lanes to doubles or 64-bit integers, round, narrow) that are chosen at run time.
#pragma once

#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {

/// The integer type that fills the register of a result of type D: 8- and 16-bit results are extended to 32 bits.
template <class D>
using InRegister =
    std::conditional_t<(sizeof(D) < 4), std::conditional_t<std::is_signed_v<D>, std::int32_t, std::uint32_t>, D>;

/// The integer that a NaN converts to.
template <class D>
constexpr D nan_value(bool from_double) {
  return sizeof(D) == 8 || from_double ? static_cast<D>(Unsigned<D>{1} << (8 * sizeof(D) - 1)) : D{0};
}

/// Rounds to an integral value of the same type without calling the library; infinities and NaN pass.
template <Rounding R, class T>
inline T round_integral(T x) {
#if defined(__SSE4_1__)  // One instruction with the same result.
  if constexpr (sizeof(T) == 8) {
    if constexpr (R == Rounding::rzi)
      return __builtin_trunc(x);
    else if constexpr (R == Rounding::rmi)
      return __builtin_floor(x);
    else if constexpr (R == Rounding::rpi)
      return __builtin_ceil(x);
    else
      return __builtin_rint(x);
  } else {
    if constexpr (R == Rounding::rzi)
      return __builtin_truncf(x);
    else if constexpr (R == Rounding::rmi)
      return __builtin_floorf(x);
    else if constexpr (R == Rounding::rpi)
      return __builtin_ceilf(x);
    else
      return __builtin_rintf(x);
  }
#else
  constexpr T whole = sizeof(T) == 8 ? T(0x1p52) : T(0x1p23);  // From here on every number is integral.
  const T magnitude = x < T(0) ? -x : x;
  const T near = (magnitude + whole) - whole;
  const T rounded = R == Rounding::rzi && near > magnitude ? near - T(1) : near;
  // Rounding down and up depends on the sign: restore it first.
  T result = x < T(0) ? -rounded : rounded;
  if constexpr (R == Rounding::rmi) result = result > x ? result - T(1) : result;
  if constexpr (R == Rounding::rpi) result = result < x ? result + T(1) : result;
  return magnitude < whole ? result : x;
#endif
}

/// All lanes of a floating-point register as doubles, which represent every format exactly; .ftz flushes f32.
inline void load_doubles(Warp& warp, std::uint32_t offset, Type type, bool ftz, double* x) {
  if (type == Type::f64) {
    const std::uint64_t* a = slots<std::uint64_t>(warp, offset);
    WB_LANES x[lane] = double_of(a[lane]);
    return;
  }
  const std::uint32_t* a = slots<std::uint32_t>(warp, offset);
  if (type == Type::f16) {
    WB_LANES x[lane] = F16::widen(a[lane] & 0xffffu);
  } else if (type == Type::bf16) {
    WB_LANES x[lane] = Bf16::widen(a[lane] & 0xffffu);
  } else if (ftz) {
    WB_LANES x[lane] = flush<true>(float_of(a[lane]));
  } else {
    WB_LANES x[lane] = float_of(a[lane]);
  }
}

/// Rounds all lanes to integral values; a negative number that becomes zero becomes -0.
template <Rounding R>
inline void round_lanes(double* x) {
  WB_LANES {
    const double y = round_integral<R>(x[lane]);
    x[lane] = y == 0.0 ? double_of(bits_of(x[lane]) & 0x8000000000000000u) : y;
  }
}
inline void round_lanes(double* x, Rounding rounding) {
  switch (rounding) {
    case Rounding::rni:
      return round_lanes<Rounding::rni>(x);
    case Rounding::rzi:
      return round_lanes<Rounding::rzi>(x);
    case Rounding::rmi:
      return round_lanes<Rounding::rmi>(x);
    case Rounding::rpi:
      return round_lanes<Rounding::rpi>(x);
    default:
      return;
  }
}

/// Writes the executing lanes of @p values to a register of @p bytes per lane.
inline void store_lanes(Warp& warp, std::uint32_t offset, unsigned bytes, const std::uint64_t* values) {
  const std::uint32_t* on = warp.exec_words();
  if (bytes == 8) {
    std::uint64_t* d = slots<std::uint64_t>(warp, offset);
    WB_LANES d[lane] = on[lane] ? values[lane] : d[lane];
  } else {
    std::uint32_t* d = slots<std::uint32_t>(warp, offset);
    WB_LANES d[lane] = on[lane] ? static_cast<std::uint32_t>(values[lane]) : d[lane];
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA
