// Logic, shifts, byte permutation, moves and selection.
#include "common/simulator/machine/operations/handlers.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct CNot {
  template <class T>
  T operator()(T a) const {
    return a == 0 ? T{1} : T{0};
  }
};
struct Copy {
  template <class T>
  T operator()(T a) const {
    return a;
  }
};

/// Shift amounts of the width or more are clamped, not masked as on a CPU.
struct ShiftLeft {
  template <class T>
  T operator()(T a, std::uint32_t amount) const {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    return amount < bits ? static_cast<T>(a << (amount & (bits - 1))) : T{0};
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, std::uint32_t amount) const {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (amount < bits ? amount : bits - 1));
    else
      return amount < bits ? static_cast<T>(a >> (amount & (bits - 1))) : T{0};
  }
};

/// Shifts the 64 bits b:a and returns the high half (left) or the low half (right).
template <bool Left, bool Wrap>
struct FunnelShift {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const std::uint32_t n = Wrap ? c & 31u : c < 32u ? c : 32u;
    const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
    return static_cast<std::uint32_t>(Left ? (both << n) >> 32 : both >> n);
  }
};

/// Any function of three bits, given by its truth table: a tree of selections whose leaves are the table's bits.
inline const Operation* lop3_into(Warp& warp, const Operation* op, std::uint32_t* d) {
  const std::uint32_t* a = slots<std::uint32_t>(warp, op->a);
  const std::uint32_t* b = slots<std::uint32_t>(warp, op->b);
  const std::uint32_t* c = slots<std::uint32_t>(warp, op->c);
  const auto leaf = [op](unsigned k) { return 0u - (static_cast<std::uint32_t>(op->immediate >> k) & 1u); };
  const std::uint32_t t0 = leaf(0), t2 = leaf(2), t4 = leaf(4), t6 = leaf(6);
  const std::uint32_t x0 = t0 ^ leaf(1), x2 = t2 ^ leaf(3), x4 = t4 ^ leaf(5), x6 = t6 ^ leaf(7);
  const std::uint32_t* on = warp.exec_words();
  WB_LANES {
    const std::uint32_t p = t0 ^ (c[lane] & x0), q = t2 ^ (c[lane] & x2);
    const std::uint32_t r = t4 ^ (c[lane] & x4), s = t6 ^ (c[lane] & x6);
    const std::uint32_t low = p ^ (b[lane] & (p ^ q)), high = r ^ (b[lane] & (r ^ s));
    const std::uint32_t value = low ^ (a[lane] & (low ^ high));
    d[lane] = on[lane] ? value : d[lane];
  }
  return op + 1;
}
const Operation* lop3(Warp& warp, const Operation* op) {
  return lop3_into(warp, op, slots<std::uint32_t>(warp, op->d));
}

/// The predicate is (result != 0), combined with the last operand.
template <bool And>
const Operation* lop3_pred(Warp& warp, const Operation* op) {
  alignas(64) std::uint32_t result[kWarpSize], nonzero[kWarpSize];
  WB_LANES result[lane] = 0;
  lop3_into(warp, op, result);
  WB_LANES nonzero[lane] = result[lane] != 0 ? 0xffffffffu : 0u;
  const std::uint32_t mask = mask_of(nonzero), q = predicate_input(warp, op, op->f, 3);
  if (op->d != kNoOperand) {
    std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
    const std::uint32_t* on = warp.exec_words();
    WB_LANES d[lane] = on[lane] ? result[lane] : d[lane];
  }
  set_predicate(warp, op->e, And ? mask & q : mask | q);
  return op + 1;
}

struct Permute {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
    std::uint32_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t code = selector >> (4 * k);
      std::uint32_t byte = static_cast<std::uint32_t>(both >> (8 * (code & 7u))) & 0xffu;
      const std::uint32_t sign = (0u - (byte >> 7)) & 0xffu;
      byte = (code & 8u) ? sign : byte;  // The top bit of a selector replicates the sign of its byte.
      result |= byte << (8 * k);
    }
    return result;
  }
};

/// The special modes: for each value of the selector's low two bits, the equivalent selector of Permute.
template <ptx::Mode M>
struct PermuteMode {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    using ptx::Mode;
    constexpr std::uint16_t table[4] = {M == Mode::f4e    ? 0x3210
                                        : M == Mode::b4e  ? 0x5670
                                        : M == Mode::rc8  ? 0x0000
                                        : M == Mode::rc16 ? 0x1010
                                        : M == Mode::ecl  ? 0x3210
                                                          : 0x0000,
                                        M == Mode::f4e    ? 0x4321
                                        : M == Mode::b4e  ? 0x6701
                                        : M == Mode::rc8  ? 0x1111
                                        : M == Mode::rc16 ? 0x3232
                                        : M == Mode::ecl  ? 0x3211
                                                          : 0x1110,
                                        M == Mode::f4e    ? 0x5432
                                        : M == Mode::b4e  ? 0x7012
                                        : M == Mode::rc8  ? 0x2222
                                        : M == Mode::rc16 ? 0x1010
                                        : M == Mode::ecl  ? 0x3222
                                                          : 0x2210,
                                        M == Mode::f4e    ? 0x6543
                                        : M == Mode::b4e  ? 0x0123
                                        : M == Mode::rc8  ? 0x3333
                                        : M == Mode::rc16 ? 0x3232
                                        : M == Mode::ecl  ? 0x3333
                                                          : 0x3210};
    const std::uint32_t low = (selector & 1u) ? table[1] : table[0], high = (selector & 1u) ? table[3] : table[2];
    return Permute{}(a, b, (selector & 2u) ? high : low);
  }
};

template <class F>
const Operation* predicate_binary(Warp& warp, const Operation* op) {
  const std::uint32_t a = predicate_input(warp, op, op->a, 0), b = predicate_input(warp, op, op->b, 1);
  set_predicate(warp, op->d, F{}(a, b));
  return op + 1;
}
template <bool Inverted>
const Operation* predicate_move(Warp& warp, const Operation* op) {
  const std::uint32_t a = predicate_input(warp, op, op->a, 0);
  set_predicate(warp, op->d, Inverted ? ~a : a);
  return op + 1;
}

/// d = the elements of the list at op->a, the first one lowest. @p T is the unsigned type of the whole.
template <class T>
const Operation* pack(Warp& warp, const Operation* op) {
  const std::uint32_t* list = &warp.program->lists[op->a];
  const unsigned bits = 8 * sizeof(T) / op->count;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  alignas(64) Slot<T> whole[kWarpSize] = {};
  for (unsigned k = 0; k < op->count; ++k) {
    const std::uint32_t* part = slots<std::uint32_t>(warp, list[k]);
    WB_LANES whole[lane] |= static_cast<Slot<T>>((part[lane] & mask) << (bits * k));
  }
  Slot<T>* d = slots<T>(warp, op->d);
  const std::uint32_t* on = warp.exec_words();
  WB_LANES d[lane] = on[lane] ? whole[lane] : d[lane];
  return op + 1;
}
template <class T>
const Operation* unpack(Warp& warp, const Operation* op) {
  const std::uint32_t* list = &warp.program->lists[op->d];
  const unsigned bits = 8 * sizeof(T) / op->count;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  alignas(64) Slot<T> whole[kWarpSize];  // A copy, because an element may be the source register itself.
  const Slot<T>* a = slots<T>(warp, op->a);
  WB_LANES whole[lane] = a[lane];
  const std::uint32_t* on = warp.exec_words();
  for (unsigned k = 0; k < op->count; ++k) {
    if (list[k] == kNoOperand) continue;
    std::uint32_t* part = slots<std::uint32_t>(warp, list[k]);
    WB_LANES {
      const std::uint32_t value = static_cast<std::uint32_t>((whole[lane] >> (bits * k)) & mask);
      part[lane] = on[lane] ? value : part[lane];
    }
  }
  return op + 1;
}

template <class T>
const Operation* select(Warp& warp, const Operation* op) {
  Slot<T>* d = slots<T>(warp, op->d);
  const Slot<T>* a = slots<T>(warp, op->a);
  const Slot<T>* b = slots<T>(warp, op->b);
  const std::uint32_t mask = predicate_input(warp, op, op->c, 2);
  if (warp.exec == kFullMask) {
    WB_LANES d[lane] = ((mask >> lane) & 1u) ? a[lane] : b[lane];
  } else {
    const std::uint32_t* on = warp.exec_words();
    WB_LANES {
      const Slot<T> value = ((mask >> lane) & 1u) ? a[lane] : b[lane];
      d[lane] = on[lane] ? value : d[lane];
    }
  }
  return op + 1;
}

struct SelectBySign {
  template <class T>
  T operator()(T a, T b, std::int32_t c) const {
    return c >= 0 ? a : b;
  }
  /// A NaN selects b; -0 selects a. With .ftz a negative subnormal counts as -0.
  template <class T>
  T operator()(T a, T b, float c) const {
    return c >= 0.0f ? a : b;
  }
};
struct SelectBySignFlushed {
  template <class T>
  T operator()(T a, T b, float c) const {
    const auto bits = __builtin_bit_cast(std::uint32_t, c);
    return (bits & 0x7f800000u) == 0 || c >= 0.0f ? a : b;
  }
};

template <class F>
Handler bits_binary(const Modifiers& m) {
  return for_bits(m.types[0], []<class T>(Tag<T>) { return same2<T, F>; });
}
template <class F>
Handler bits_unary(const Modifiers& m) {
  return for_bits(m.types[0], []<class T>(Tag<T>) { return same1<T, F>; });
}

}  // namespace

Handler resolve_and_pred(const Modifiers&) { return predicate_binary<And>; }
Handler resolve_and_bits(const Modifiers& m) { return bits_binary<And>(m); }
Handler resolve_or_pred(const Modifiers&) { return predicate_binary<Or>; }
Handler resolve_or_bits(const Modifiers& m) { return bits_binary<Or>(m); }
Handler resolve_xor_pred(const Modifiers&) { return predicate_binary<Xor>; }
Handler resolve_xor_bits(const Modifiers& m) { return bits_binary<Xor>(m); }
Handler resolve_not_pred(const Modifiers&) { return predicate_move<true>; }
Handler resolve_not_bits(const Modifiers& m) { return bits_unary<Not>(m); }
Handler resolve_cnot(const Modifiers& m) { return bits_unary<CNot>(m); }

Handler resolve_shl(const Modifiers& m) {
  return for_bits(m.types[0], []<class T>(Tag<T>) -> Handler { return binary<T, T, std::uint32_t, ShiftLeft>; });
}
Handler resolve_shr(const Modifiers& m) {
  return for_integer(m.types[0], []<class T>(Tag<T>) -> Handler { return binary<T, T, std::uint32_t, ShiftRight>; });
}
Handler resolve_shf(const Modifiers& m) {
  const bool wrap = m.mode == ptx::Mode::wrap;
  if (m.direction == ptx::Mode::left) {
    return wrap ? same3<std::uint32_t, FunnelShift<true, true>> : same3<std::uint32_t, FunnelShift<true, false>>;
  }
  return wrap ? same3<std::uint32_t, FunnelShift<false, true>> : same3<std::uint32_t, FunnelShift<false, false>>;
}
Handler resolve_lop3(const Modifiers&) { return lop3; }
Handler resolve_lop3_pred(const Modifiers& m) {
  return m.bool_op == ptx::BoolOp::and_ ? lop3_pred<true> : lop3_pred<false>;
}
Handler resolve_prmt(const Modifiers& m) {
  using ptx::Mode;
  switch (m.mode) {
    case Mode::none:
      return same3<std::uint32_t, Permute>;
    case Mode::f4e:
      return same3<std::uint32_t, PermuteMode<Mode::f4e>>;
    case Mode::b4e:
      return same3<std::uint32_t, PermuteMode<Mode::b4e>>;
    case Mode::rc8:
      return same3<std::uint32_t, PermuteMode<Mode::rc8>>;
    case Mode::ecl:
      return same3<std::uint32_t, PermuteMode<Mode::ecl>>;
    case Mode::ecr:
      return same3<std::uint32_t, PermuteMode<Mode::ecr>>;
    case Mode::rc16:
      return same3<std::uint32_t, PermuteMode<Mode::rc16>>;
    default:
      return nullptr;
  }
}
Handler resolve_mov_pred(const Modifiers&) { return predicate_move<false>; }
Handler resolve_mov(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? same1<std::uint64_t, Copy> : same1<std::uint32_t, Copy>;
}
Handler resolve_mov_pack(const Modifiers& m) {
  return for_bits(m.types[0], []<class T>(Tag<T>) -> Handler { return pack<T>; });
}
Handler resolve_mov_unpack(const Modifiers& m) {
  return for_bits(m.types[0], []<class T>(Tag<T>) -> Handler { return unpack<T>; });
}
Handler resolve_selp(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? select<std::uint64_t> : select<std::uint32_t>;
}
Handler resolve_slct_s32(const Modifiers& m) {
  return for_bits(m.types[0], []<class T>(Tag<T>) -> Handler { return ternary<T, T, T, std::int32_t, SelectBySign>; });
}
Handler resolve_slct_f32(const Modifiers& m) {
  const bool ftz = m.ftz;
  return for_bits(m.types[0], [ftz]<class T>(Tag<T>) -> Handler {
    return ftz ? Handler(ternary<T, T, T, float, SelectBySignFlushed>) : Handler(ternary<T, T, T, float, SelectBySign>);
  });
}

}  // namespace warpbook::simulator::operations::WB_ISA
