// Which atomics have changed memory. One that finds a lock taken has only read it, and a thread that only reads may
// wait forever (spin_watch.h).
#include <bit>

#include "common/simulator/machine/checker.h"

namespace warpbook::simulator {
namespace {

__extension__ using Bits = unsigned __int128;

/// Whether an atomic that found @p old stores another value. @param c for cas: the value stored if @p b was found
bool changes(ptx::AtomicOp kind, Bits old, Bits b, Bits c) {
  switch (kind) {
    case ptx::AtomicOp::and_:
      return (old & b) != old;
    case ptx::AtomicOp::or_:
      return (old | b) != old;
    case ptx::AtomicOp::exch:
      return old != b;
    case ptx::AtomicOp::cas:
      return old == b && c != b;
    default:  // xor, add
      return b != 0;
  }
}

}  // namespace

bool Checker::tells_changes(const Operation& op, const OperationDetail& detail) {
  if (!ptx::is_atomic(detail.id) || op.d == kNoOperand || detail.modifiers.vector != 1) return false;
  switch (detail.modifiers.types[0]) {
    case ptx::Type::b16:
    case ptx::Type::b32:
    case ptx::Type::b64:
    case ptx::Type::u32:
    case ptx::Type::u64:
    case ptx::Type::s32:
    case ptx::Type::s64:
    case ptx::Type::b128:
      break;
    default:
      return false;
  }
  switch (detail.modifiers.atomic) {
    case ptx::AtomicOp::and_:
    case ptx::AtomicOp::or_:
    case ptx::AtomicOp::xor_:
    case ptx::AtomicOp::exch:
    case ptx::AtomicOp::cas:
    case ptx::AtomicOp::add:
      return true;
    default:
      return false;
  }
}

const Operation* Checker::execute_atomic(WarpState& warp, const Operation* op, const Watched& watched) {
  const ptx::Modifiers& m = warp.program->details[op->index].modifiers;
  const unsigned bytes = ptx::size_of(m.types[0]);
  const auto values = [&](std::uint32_t operand, Bits* out) {
    const std::uint32_t* const halves = warp.program->lists.data() + operand;
    const std::byte* const from = warp.registers + (bytes == 16 ? halves[0] : operand);
    const auto* const wide = reinterpret_cast<const std::uint64_t*>(from);
    const auto* const narrow = reinterpret_cast<const std::uint32_t*>(from);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      out[lane] = bytes >= 8 ? wide[lane] : bytes == 4 ? narrow[lane] : narrow[lane] & 0xffffu;
    if (bytes != 16) return;
    const auto* const high = reinterpret_cast<const std::uint64_t*>(warp.registers + halves[1]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) out[lane] |= Bits{high[lane]} << 64;
  };
  // The result register may be one of the operands.
  Bits b[kWarpSize], c[kWarpSize] = {}, old[kWarpSize];
  values(op->b, b);
  if (m.atomic == ptx::AtomicOp::cas) values(op->c, c);
  const std::uint32_t lanes = warp.exec;
  if (warp.state->checked->first_serial != 0) access(warp, op, watched);
  const Operation* const next = watched.handler(warp, op);
  if (next == nullptr) return next;
  values(op->d, old);
  bool changed = false;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    changed |= changes(m.atomic, old[lane], b[lane], c[lane]);
  }
  if (changed) ++atomic_changes_;
  return next;
}

}  // namespace warpbook::simulator
