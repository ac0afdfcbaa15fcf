// Builds handlers from a function of one lane, and selects one by type; shared by the arithmetic families.
//
// A lane's function is a stateless functor, so each handler is one loop with the function inlined. Like lanes.h this is
// compiled once for each instruction set: nothing here may have a name outside operations::WB_ISA.
#pragma once

#include "common/simulator/kernel/operation.h"
#include "common/simulator/machine/operations/lanes.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::operations::WB_ISA {

using ptx::Modifiers;
using ptx::Type;

template <class T>
struct Tag {
  using type = T;
};

template <class D, class A, class F>
const Operation* unary(Warp& warp, const Operation* op) {
  map1<D, A>(warp, op->d, op->a, F{});
  return op + 1;
}

template <class D, class A, class B, class F>
const Operation* binary(Warp& warp, const Operation* op) {
  map2<D, A, B>(warp, op->d, op->a, op->b, F{});
  return op + 1;
}

template <class D, class A, class B, class C, class F>
const Operation* ternary(Warp& warp, const Operation* op) {
  map3<D, A, B, C>(warp, op->d, op->a, op->b, op->c, F{});
  return op + 1;
}

template <class T, class F>
inline constexpr Handler same1 = unary<T, T, F>;
template <class T, class F>
inline constexpr Handler same2 = binary<T, T, T, F>;
template <class T, class F>
inline constexpr Handler same3 = ternary<T, T, T, T, F>;

/// Calls f(Tag<T>{}) for an integer @p type of 16, 32 or 64 bits (.b types are unsigned); nullptr for all others.
template <class F>
Handler for_integer(Type type, F f) {
  switch (type) {
    case Type::b16:
    case Type::u16:
      return f(Tag<std::uint16_t>{});
    case Type::s16:
      return f(Tag<std::int16_t>{});
    case Type::b32:
    case Type::u32:
      return f(Tag<std::uint32_t>{});
    case Type::s32:
      return f(Tag<std::int32_t>{});
    case Type::b64:
    case Type::u64:
      return f(Tag<std::uint64_t>{});
    case Type::s64:
      return f(Tag<std::int64_t>{});
    default:
      return nullptr;
  }
}

/// The same for 32 and 64 bits only.
template <class F>
Handler for_wide_integer(Type type, F f) {
  switch (type) {
    case Type::b32:
    case Type::u32:
      return f(Tag<std::uint32_t>{});
    case Type::s32:
      return f(Tag<std::int32_t>{});
    case Type::b64:
    case Type::u64:
      return f(Tag<std::uint64_t>{});
    case Type::s64:
      return f(Tag<std::int64_t>{});
    default:
      return nullptr;
  }
}

/// For bitwise operations: the unsigned type of the same size.
template <class F>
Handler for_bits(Type type, F f) {
  switch (ptx::size_of(type)) {
    case 2:
      return f(Tag<std::uint16_t>{});
    case 4:
      return f(Tag<std::uint32_t>{});
    case 8:
      return f(Tag<std::uint64_t>{});
    default:
      return nullptr;
  }
}

template <class T>
using Unsigned = std::make_unsigned_t<T>;

/// A lane mask from the top bits of 32 words.
inline std::uint32_t mask_of(const std::uint32_t* words) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) mask |= (words[lane] >> 31) << lane;
  return mask;
}

/// Writes @p mask to a predicate, for the executing lanes only; a sink operand is skipped.
inline void set_predicate(Warp& warp, std::uint32_t offset, std::uint32_t mask) {
  if (offset == kNoOperand) return;
  std::uint32_t& p = predicate(warp, offset);
  p = (p & ~warp.exec) | (mask & warp.exec);
}

/// The input at @p place as a lane mask, complemented if it is written "!%p".
inline std::uint32_t predicate_input(Warp& warp, const Operation* op, std::uint32_t offset, unsigned place) {
  return predicate(warp, offset) ^ (0u - std::uint32_t{op->flags.negates(place)});
}

/// The operation's modifiers, read at run time: a copy of each handler for each combination would be large.
inline const Modifiers& modifiers_of(Warp& warp, const Operation* op) {
  return warp.program->details[op->index].modifiers;
}

}  // namespace warpbook::simulator::operations::WB_ISA
