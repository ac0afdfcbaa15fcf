// The integer and bitwise rows of atomic.def.
#include "common/simulator/machine/operations/atomic.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <class T>
Handler bits_or_sum(const Modifiers& m) {
  switch (m.atomic) {
    case AtomicOp::and_:
      return atomic_handler<T, 1, AtomicAnd>(m);
    case AtomicOp::or_:
      return atomic_handler<T, 1, AtomicOr>(m);
    case AtomicOp::xor_:
      return atomic_handler<T, 1, AtomicXor>(m);
    case AtomicOp::exch:
      return atomic_handler<T, 1, AtomicExchange>(m);
    case AtomicOp::cas:
      return atomic_handler<T, 1, AtomicCompareAndSwap>(m);
    case AtomicOp::add:
      return atomic_handler<T, 1, AtomicAdd>(m);
    case AtomicOp::inc:
      return atomic_handler<T, 1, AtomicIncrement>(m);
    case AtomicOp::dec:
      return atomic_handler<T, 1, AtomicDecrement>(m);
    default:
      return nullptr;
  }
}

template <class T>
Handler order(const Modifiers& m) {
  return m.atomic == AtomicOp::min ? atomic_handler<T, 1, AtomicMin>(m) : atomic_handler<T, 1, AtomicMax>(m);
}

}  // namespace

Handler integer_atomic_handler(const Modifiers& m) {
  if (m.vector != 1) return floating_atomic_handler(m);
  const bool ordered = m.atomic == AtomicOp::min || m.atomic == AtomicOp::max;
  switch (m.types[0]) {
    case Type::b16:
      return m.atomic == AtomicOp::cas ? atomic_handler<std::uint16_t, 1, AtomicCompareAndSwap>(m) : nullptr;
    case Type::b32:
    case Type::u32:
      return ordered ? order<std::uint32_t>(m) : bits_or_sum<std::uint32_t>(m);
    case Type::s32:
      return ordered ? order<std::int32_t>(m) : bits_or_sum<std::uint32_t>(m);
    case Type::b64:
    case Type::u64:
      return ordered ? order<std::uint64_t>(m) : bits_or_sum<std::uint64_t>(m);
    case Type::s64:
      return ordered ? order<std::int64_t>(m) : bits_or_sum<std::uint64_t>(m);
    default:
      return floating_atomic_handler(m);
  }
}

Handler resolve_atom(const Modifiers& modifiers) { return integer_atomic_handler(modifiers); }
Handler resolve_atom_op_first(const Modifiers& modifiers) { return integer_atomic_handler(modifiers); }
Handler resolve_atom_cas(const Modifiers& modifiers) { return integer_atomic_handler(modifiers); }
Handler resolve_atom_cas_op_first(const Modifiers& modifiers) { return integer_atomic_handler(modifiers); }
Handler resolve_atom_exch_wide(const Modifiers& modifiers) {
  return atomic_handler<Bits128, 1, AtomicExchange>(modifiers);
}
Handler resolve_atom_cas_wide(const Modifiers& modifiers) {
  return atomic_handler<Bits128, 1, AtomicCompareAndSwap>(modifiers);
}
Handler resolve_red(const Modifiers& modifiers) { return integer_atomic_handler(modifiers); }
Handler resolve_red_op_first(const Modifiers& modifiers) { return integer_atomic_handler(modifiers); }

}  // namespace warpbook::simulator::operations::WB_ISA
