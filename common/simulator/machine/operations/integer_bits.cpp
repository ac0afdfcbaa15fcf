// Bit fields and small dot products: popc, clz, bfind, fns, brev, bfe, bfi, szext, bmsk, dp4a, dp2a.
#include "common/simulator/machine/operations/handlers.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

struct CountOnes {
  std::uint32_t operator()(std::uint32_t a) const { return static_cast<std::uint32_t>(__builtin_popcount(a)); }
  std::uint32_t operator()(std::uint64_t a) const { return static_cast<std::uint32_t>(__builtin_popcountll(a)); }
};
struct CountLeadingZeros {
  std::uint32_t operator()(std::uint32_t a) const { return a ? static_cast<std::uint32_t>(__builtin_clz(a)) : 32; }
  std::uint32_t operator()(std::uint64_t a) const { return a ? static_cast<std::uint32_t>(__builtin_clzll(a)) : 64; }
};

/// The highest bit that is not a copy of the sign; ~0 if there is none, also with .shiftamt.
template <bool ShiftAmount>
struct FindHighest {
  template <class T>
  std::uint32_t operator()(T a) const {
    using U = Unsigned<T>;
    const U bits = static_cast<U>(a < T{0} ? static_cast<U>(~static_cast<U>(a)) : static_cast<U>(a));
    const std::uint32_t zeros = CountLeadingZeros{}(bits);
    if (bits == 0) return 0xffffffffu;
    return ShiftAmount ? zeros : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - zeros;
  }
};

/// The |offset|-th set bit of a mask, counted from bit `base` upwards or downwards.
struct FindNthSet {
  std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t offset) const {
    const auto set = [mask](std::uint32_t bit) { return ((mask >> bit) & 1u) != 0; };
    if (offset == -0x7fffffff - 1) return 0;  // The hardware's answer; its own step count overflows.
    if (base > 31) return 0xffffffffu;
    if (offset == 0) return set(base) ? base : 0xffffffffu;
    const int step = offset > 0 ? 1 : -1;
    std::uint32_t left = offset > 0 ? static_cast<std::uint32_t>(offset) : 0u - static_cast<std::uint32_t>(offset);
    for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
      if (set(static_cast<std::uint32_t>(bit)) && --left == 0) return static_cast<std::uint32_t>(bit);
    return 0xffffffffu;
  }
};

struct ReverseBits {
  template <class T>
  T operator()(T a) const {
    constexpr T all = static_cast<T>(~T{0});
    a = ((a >> 1) & (all / 3)) | ((a & (all / 3)) << 1);
    a = ((a >> 2) & (all / 5)) | ((a & (all / 5)) << 2);
    a = ((a >> 4) & (all / 17)) | ((a & (all / 17)) << 4);
    if constexpr (sizeof(T) == 8)
      return __builtin_bswap64(a);
    else
      return __builtin_bswap32(a);
  }
};

/// Only the low byte of position and length counts; the 64-bit forms, which consist of several machine instructions,
/// use all 32 bits.
template <class T>
inline void only_low_byte(std::uint32_t& position, std::uint32_t& length) {
  if (sizeof(T) == 8) return;
  position &= 255;
  length &= 255;
}

/// A field that extends past the top is filled with zeros, or for signed types with the top bit.
struct ExtractField {
  template <class T>
  T operator()(T a, std::uint32_t position, std::uint32_t length) const {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    only_low_byte<T>(position, length);
    using U = Unsigned<T>;
    if constexpr (std::is_signed_v<T>) {
      if (length == 0) return 0;
      const std::uint64_t end = std::uint64_t{position} + length;
      const std::uint32_t top = end < bits ? static_cast<std::uint32_t>(end) : bits;  // One past the sign bit.
      const U up = static_cast<U>(a) << (bits - top);  // Now the sign bit is the highest.
      const std::uint64_t down = std::uint64_t{bits} - top + position;
      return static_cast<T>(up) >> (down < bits ? down : bits - 1);
    } else {
      const U field = position < bits ? a >> (position & (bits - 1)) : 0;
      const U mask = length < bits ? (U{1} << (length & (bits - 1))) - 1 : static_cast<U>(~U{0});
      return field & mask;
    }
  }
};

struct InsertField {
  template <class T>
  T operator()(T field, T into, std::uint32_t position, std::uint32_t length) const {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    only_low_byte<T>(position, length);
    const T ones = length < bits ? (T{1} << (length & (bits - 1))) - 1 : static_cast<T>(~T{0});
    const T mask = position < bits ? ones << (position & (bits - 1)) : T{0};
    const T moved = position < bits ? field << (position & (bits - 1)) : T{0};
    return (into & ~mask) | (moved & mask);
  }
};

template <class T>
const Operation* insert_field(Warp& warp, const Operation* op) {
  T* d = slots<T>(warp, op->d);
  const T* a = slots<T>(warp, op->a);
  const T* b = slots<T>(warp, op->b);
  const std::uint32_t* c = slots<std::uint32_t>(warp, op->c);
  const std::uint32_t* f = slots<std::uint32_t>(warp, op->f);
  const std::uint32_t* on = warp.exec_words();
  WB_LANES {
    const T value = InsertField{}(a[lane], b[lane], c[lane], f[lane]);
    d[lane] = on[lane] ? value : d[lane];
  }
  return op + 1;
}

/// Keeps the low `width` bits and fills the rest with zeros or their highest bit.
template <bool Wrap>
struct ExtendBits {
  template <class T>
  T operator()(T a, std::uint32_t width) const {
    width = Wrap ? width & 31u : width < 32u ? width : 32u;
    const std::uint32_t shift = (32u - width) & 31u;
    const std::uint32_t up = static_cast<std::uint32_t>(a) << shift;
    const T value = static_cast<T>(static_cast<T>(up) >> shift);
    return width == 0 ? T{0} : value;
  }
};

template <bool Wrap>
struct BitMask {
  std::uint32_t operator()(std::uint32_t position, std::uint32_t width) const {
    if (Wrap) position &= 31u, width &= 31u;
    const std::uint32_t ones = width < 32u ? (1u << (width & 31u)) - 1u : 0xffffffffu;
    return position < 32u ? ones << (position & 31u) : 0u;
  }
};

/// Sum of four products of bytes. A and B say how each operand's bytes are extended.
template <class A, class B>
struct DotBytes {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (unsigned k = 0; k < 4; ++k)
      c += static_cast<std::uint32_t>(static_cast<int>(static_cast<A>(a >> (8 * k))) *
                                      static_cast<int>(static_cast<B>(b >> (8 * k))));
    return c;
  }
};
/// Sum of two products of a 16-bit half and a byte; the bytes are from the low or the high half of b.
template <class A, class B, bool High>
struct DotHalves {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (unsigned k = 0; k < 2; ++k)
      c += static_cast<std::uint32_t>(static_cast<int>(static_cast<A>(a >> (16 * k))) *
                                      static_cast<int>(static_cast<B>(b >> (8 * k + (High ? 16 : 0)))));
    return c;
  }
};
template <bool High>
Handler dot_halves(bool a, bool b) {
  using S = std::int16_t;
  using U = std::uint16_t;
  if (a)
    return b ? same3<std::uint32_t, DotHalves<S, std::int8_t, High>>
             : same3<std::uint32_t, DotHalves<S, std::uint8_t, High>>;
  return b ? same3<std::uint32_t, DotHalves<U, std::int8_t, High>>
           : same3<std::uint32_t, DotHalves<U, std::uint8_t, High>>;
}

template <class F>
Handler count(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? Handler(unary<std::uint32_t, std::uint64_t, F>)
                                       : Handler(unary<std::uint32_t, std::uint32_t, F>);
}

}  // namespace

Handler resolve_popc(const Modifiers& m) { return count<CountOnes>(m); }
Handler resolve_clz(const Modifiers& m) { return count<CountLeadingZeros>(m); }
Handler resolve_bfind(const Modifiers& m) {
  const bool amount = m.mode == ptx::Mode::shiftamt;
  return for_wide_integer(m.types[0], [amount]<class T>(Tag<T>) -> Handler {
    return amount ? Handler(unary<std::uint32_t, T, FindHighest<true>>)
                  : Handler(unary<std::uint32_t, T, FindHighest<false>>);
  });
}
Handler resolve_fns(const Modifiers&) {
  return ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t, FindNthSet>;
}
Handler resolve_brev(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? same1<std::uint64_t, ReverseBits> : same1<std::uint32_t, ReverseBits>;
}
Handler resolve_bfe(const Modifiers& m) {
  return for_wide_integer(
      m.types[0], []<class T>(Tag<T>) -> Handler { return ternary<T, T, std::uint32_t, std::uint32_t, ExtractField>; });
}
Handler resolve_bfi(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? Handler(insert_field<std::uint64_t>) : Handler(insert_field<std::uint32_t>);
}
Handler resolve_szext(const Modifiers& m) {
  const bool wrap = m.mode == ptx::Mode::wrap;
  return for_wide_integer(m.types[0], [wrap]<class T>(Tag<T>) -> Handler {
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else
      return wrap ? Handler(binary<T, T, std::uint32_t, ExtendBits<true>>)
                  : Handler(binary<T, T, std::uint32_t, ExtendBits<false>>);
  });
}
Handler resolve_bmsk(const Modifiers& m) {
  return m.mode == ptx::Mode::wrap ? same2<std::uint32_t, BitMask<true>> : same2<std::uint32_t, BitMask<false>>;
}
Handler resolve_dp4a(const Modifiers& m) {
  using S = std::int8_t;
  using U = std::uint8_t;
  const bool b = m.types[1] == Type::s32;
  if (m.types[0] == Type::s32) return b ? same3<std::uint32_t, DotBytes<S, S>> : same3<std::uint32_t, DotBytes<S, U>>;
  return b ? same3<std::uint32_t, DotBytes<U, S>> : same3<std::uint32_t, DotBytes<U, U>>;
}
Handler resolve_dp2a(const Modifiers& m) {
  const bool a = m.types[0] == Type::s32, b = m.types[1] == Type::s32;
  return m.half == ptx::Half::hi ? dot_halves<true>(a, b) : dot_halves<false>(a, b);
}

}  // namespace warpbook::simulator::operations::WB_ISA
