// Integer arithmetic: add, sub, mul, mad, div, rem, min, max, abs, neg, sad.
#include "common/simulator/machine/operations/handlers.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

// All arithmetic is done on unsigned numbers, which wrap like the hardware's.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Unsigned<T>(Unsigned<T>(a) + Unsigned<T>(b)));
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Unsigned<T>(Unsigned<T>(a) - Unsigned<T>(b)));
  }
};

/// Two independent 16-bit halves.
template <class T, class F>
struct Packed {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    const T low = F{}(static_cast<T>(a), static_cast<T>(b));
    const T high = F{}(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<std::uint16_t>(low) | static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16;
  }
};

inline std::int32_t saturate(std::int64_t x) {
  return static_cast<std::int32_t>(x > 0x7fffffff ? 0x7fffffff : x < -0x80000000ll ? -0x80000000ll : x);
}
struct AddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return saturate(std::int64_t{a} + b); }
};
struct SubtractSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return saturate(std::int64_t{a} - b); }
};

template <class T>
struct Twice;
template <>
struct Twice<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct Twice<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct Twice<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct Twice<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct Twice<std::uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Twice<std::int64_t> {
  using type = __int128;
};

struct MultiplyLow {
  template <class T>
  T operator()(T a, T b) const {
    // 16-bit operands are promoted to int: widen them first so that the product cannot overflow int.
    using U = std::conditional_t<sizeof(T) == 2, std::uint32_t, Unsigned<T>>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) * static_cast<U>(b)));
  }
};
struct MultiplyHigh {
  template <class T>
  T operator()(T a, T b) const {
    using W = typename Twice<T>::type;
    return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(T)));
  }
};
struct MultiplyWide {
  template <class T>
  typename Twice<T>::type operator()(T a, T b) const {
    using W = typename Twice<T>::type;
    return static_cast<W>(a) * static_cast<W>(b);
  }
};
template <class M>
struct MultiplyAdd {
  template <class T, class C>
  C operator()(T a, T b, C c) const {
    return Add{}(static_cast<C>(M{}(a, b)), c);
  }
};
struct MultiplyHighAddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return saturate(std::int64_t{MultiplyHigh{}(a, b)} + c);
  }
};

/// The low 24 bits of a register: mul24 ignores the rest, it is not an error.
inline std::uint64_t low24(std::uint32_t a) { return a & 0xffffffu; }
inline std::int64_t low24(std::int32_t a) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8; }

template <bool High>
struct Multiply24 {
  template <class T>
  T operator()(T a, T b) const {
    const auto product = low24(a) * low24(b);  // 48 bits
    return static_cast<T>(High ? product >> 16 : product);
  }
};
struct Multiply24HighAddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return saturate(std::int64_t{Multiply24<true>{}(a, b)} + c);
  }
};

/// Division by zero gives all ones for quotient and remainder, as on hardware; the most negative number divided by -1
/// wraps.
struct DivideIntegers {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a));
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};

struct Negate {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(Unsigned<T>(Unsigned<T>(0) - Unsigned<T>(a)));
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Negate{}(a) : a;
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
template <class F>
struct Relu {
  template <class T>
  T operator()(T a, T b) const {
    return Maximum{}(F{}(a, b), T{0});
  }
};

struct SumOfDifference {
  template <class T>
  T operator()(T a, T b, T c) const {
    const T difference = a < b ? Subtract{}(b, a) : Subtract{}(a, b);
    return Add{}(c, difference);
  }
};

/// addc, subc, madc and the .cc forms: each lane's carry is one bit of Warp::carry.
template <class T, bool Use, bool Set, class F>
const Operation* with_carry(Warp& warp, const Operation* op) {
  using U = Unsigned<T>;
  U* d = slots<U>(warp, op->d);
  const U* a = slots<U>(warp, op->a);
  const U* b = slots<U>(warp, op->b);
  const U* c = op->c == kNoOperand ? a : slots<U>(warp, op->c);
  std::uint32_t carry = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!((warp.exec >> lane) & 1u)) continue;
    bool bit = Use ? ((warp.carry >> lane) & 1u) != 0 : F::kStart;
    d[lane] = F{}.template operator()<T>(a[lane], b[lane], c[lane], bit);
    carry |= static_cast<std::uint32_t>(bit) << lane;
  }
  if (Set) warp.carry = (warp.carry & ~warp.exec) | carry;
  return op + 1;
}
struct AddCarry {
  static constexpr bool kStart = false;  ///< The initial carry of a form that reads none.
  template <class T, class U>
  U operator()(U a, U b, U, bool& carry) const {
    U sum, result;
    const bool first = __builtin_add_overflow(a, b, &sum);
    const bool second = __builtin_add_overflow(sum, static_cast<U>(carry), &result);
    carry = first | second;
    return result;
  }
};
/// A subtraction is a + ~b + carry, so its carry means "no borrow", and that is what addc sees.
struct SubtractBorrow {
  static constexpr bool kStart = true;
  template <class T, class U>
  U operator()(U a, U b, U c, bool& carry) const {
    return AddCarry{}.template operator()<T>(a, static_cast<U>(~b), c, carry);
  }
};
template <class M>
struct MultiplyAddCarry {
  static constexpr bool kStart = false;
  template <class T, class U>
  U operator()(U a, U b, U c, bool& carry) const {
    return AddCarry{}.template operator()<T>(static_cast<U>(M{}(static_cast<T>(a), static_cast<T>(b))), c, c, carry);
  }
};

template <bool Use, class F>
Handler carried(const Modifiers& m) {
  return for_wide_integer(m.types[0], []<class T>(Tag<T>) -> Handler { return with_carry<T, Use, true, F>; });
}
template <class F>
Handler carry_in(const Modifiers& m) {
  if (m.cc) return carried<true, F>(m);
  return for_wide_integer(m.types[0], []<class T>(Tag<T>) -> Handler { return with_carry<T, true, false, F>; });
}

template <class F>
Handler same_binary(const Modifiers& m) {
  if (m.types[0] == Type::u16x2) return same2<std::uint32_t, Packed<std::uint16_t, F>>;
  if (m.types[0] == Type::s16x2) return same2<std::uint32_t, Packed<std::int16_t, F>>;
  return for_integer(m.types[0], []<class T>(Tag<T>) { return same2<T, F>; });
}
template <class F>
Handler same_unary(const Modifiers& m) {
  return for_integer(m.types[0], []<class T>(Tag<T>) { return same1<T, F>; });
}

template <class F>
Handler relu(const Modifiers& m) {
  if (m.types[0] == Type::s16x2) return same2<std::uint32_t, Packed<std::int16_t, Relu<F>>>;
  return same2<std::int32_t, Relu<F>>;
}

template <class F, class H>
Handler low_or_high(const Modifiers& m) {
  return m.half == ptx::Half::lo ? same_binary<F>(m) : same_binary<H>(m);
}

template <class F>
Handler narrow_types(Type type, F f) {
  return ptx::size_of(type) == 8 ? nullptr : for_integer(type, [&]<class T>(Tag<T> tag) -> Handler {
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else
      return f(tag);
  });
}

}  // namespace

Handler resolve_add_integer(const Modifiers& m) { return same_binary<Add>(m); }
Handler resolve_add_sat(const Modifiers&) { return same2<std::int32_t, AddSaturated>; }
Handler resolve_add_cc(const Modifiers& m) { return carried<false, AddCarry>(m); }
Handler resolve_addc(const Modifiers& m) { return carry_in<AddCarry>(m); }
Handler resolve_sub_integer(const Modifiers& m) { return same_binary<Subtract>(m); }
Handler resolve_sub_sat(const Modifiers&) { return same2<std::int32_t, SubtractSaturated>; }
Handler resolve_sub_cc(const Modifiers& m) { return carried<false, SubtractBorrow>(m); }
Handler resolve_subc(const Modifiers& m) { return carry_in<SubtractBorrow>(m); }

Handler resolve_mul_integer(const Modifiers& m) { return low_or_high<MultiplyLow, MultiplyHigh>(m); }
Handler resolve_mul_wide(const Modifiers& m) {
  return narrow_types(m.types[0],
                      []<class T>(Tag<T>) -> Handler { return binary<typename Twice<T>::type, T, T, MultiplyWide>; });
}
Handler resolve_mad_integer(const Modifiers& m) {
  const bool low = m.half == ptx::Half::lo;
  return for_integer(m.types[0], [low]<class T>(Tag<T>) {
    return low ? same3<T, MultiplyAdd<MultiplyLow>> : same3<T, MultiplyAdd<MultiplyHigh>>;
  });
}
Handler resolve_mad_wide(const Modifiers& m) {
  return narrow_types(m.types[0], []<class T>(Tag<T>) -> Handler {
    using W = typename Twice<T>::type;
    return ternary<W, T, T, W, MultiplyAdd<MultiplyWide>>;
  });
}
Handler resolve_mad_sat(const Modifiers&) { return same3<std::int32_t, MultiplyHighAddSaturated>; }
Handler resolve_mad_cc(const Modifiers& m) {
  return m.half == ptx::Half::lo ? carried<false, MultiplyAddCarry<MultiplyLow>>(m)
                                 : carried<false, MultiplyAddCarry<MultiplyHigh>>(m);
}
Handler resolve_madc(const Modifiers& m) {
  return m.half == ptx::Half::lo ? carry_in<MultiplyAddCarry<MultiplyLow>>(m)
                                 : carry_in<MultiplyAddCarry<MultiplyHigh>>(m);
}
Handler resolve_mul24(const Modifiers& m) {
  const bool low = m.half == ptx::Half::lo;
  if (m.types[0] == Type::u32)
    return low ? same2<std::uint32_t, Multiply24<false>> : same2<std::uint32_t, Multiply24<true>>;
  return low ? same2<std::int32_t, Multiply24<false>> : same2<std::int32_t, Multiply24<true>>;
}
Handler resolve_mad24(const Modifiers& m) {
  const bool low = m.half == ptx::Half::lo;
  if (m.types[0] == Type::u32) {
    return low ? same3<std::uint32_t, MultiplyAdd<Multiply24<false>>>
               : same3<std::uint32_t, MultiplyAdd<Multiply24<true>>>;
  }
  return low ? same3<std::int32_t, MultiplyAdd<Multiply24<false>>> : same3<std::int32_t, MultiplyAdd<Multiply24<true>>>;
}
Handler resolve_mad24_sat(const Modifiers&) { return same3<std::int32_t, Multiply24HighAddSaturated>; }

Handler resolve_div_integer(const Modifiers& m) { return same_binary<DivideIntegers>(m); }
Handler resolve_rem(const Modifiers& m) { return same_binary<Remainder>(m); }
Handler resolve_abs_integer(const Modifiers& m) { return same_unary<Absolute>(m); }
Handler resolve_neg_integer(const Modifiers& m) { return same_unary<Negate>(m); }
Handler resolve_min_integer(const Modifiers& m) { return same_binary<Minimum>(m); }
Handler resolve_max_integer(const Modifiers& m) { return same_binary<Maximum>(m); }
Handler resolve_min_relu(const Modifiers& m) { return relu<Minimum>(m); }
Handler resolve_max_relu(const Modifiers& m) { return relu<Maximum>(m); }
Handler resolve_sad(const Modifiers& m) {
  return for_integer(m.types[0], []<class T>(Tag<T>) { return same3<T, SumOfDifference>; });
}

}  // namespace warpbook::simulator::operations::WB_ISA
