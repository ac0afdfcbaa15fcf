// One decoded instruction: a handler and the places of its operands, all of one fixed size.
//
// A warp's registers are one block of memory, [register][lane]: 32 slots of 4 bytes for types up to 32 bits (narrower
// values zero- or sign-extended by whoever reads them: a slot's upper bits are unspecified for 8- and 16-bit types),
// 32 slots of 8 bytes for 64-bit types, and one 32-bit mask (padded to 64 bytes) for a predicate. Operands are byte
// offsets into that block. Immediates are registers too: the decoder gives each distinct one a slot that holds it in
// every lane, so a handler never asks what kind of operand it has.
#pragma once

#include <cstdint>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

struct Warp;
struct Operation;

/// Executes one operation for the lanes in Warp::exec and returns the next one; nullptr suspends the warp, with the
/// reason in Warp::stop.
using Handler = const Operation* (*)(Warp&, const Operation*);

constexpr std::uint32_t kNoOperand = 0xffffffffu;

struct Operation {
  Handler handler = nullptr;
  Handler guarded = nullptr;     ///< Behind a guard: what runs for the lanes that pass (handler is then the guard).
  std::uint32_t d = kNoOperand;  ///< First output; for vectors an index into Program::lists.
  std::uint32_t e = kNoOperand;  ///< Second output ("p|q", "d|p").
  std::uint32_t a = kNoOperand;  ///< Inputs in the order written; for [address] the base register.
  std::uint32_t b = kNoOperand;
  std::uint32_t c = kNoOperand;
  std::uint32_t f = kNoOperand;
  std::int64_t immediate = 0;  ///< Displacement of an address, lop3's table, a branch target (operation index).
  std::uint32_t guard = kNoOperand;
  std::uint32_t index = 0;   ///< Position in Program::operations.
  std::uint32_t memory = 0;  ///< For accesses: position in the memory counters.
  std::uint8_t count = 1;    ///< Elements of a vector access.
  std::uint8_t negated = 0;  ///< Bit k: the k-th predicate input (a=0, b=1, c=2, f=3) is negated; bit 7: the guard is.
  ptx::Space space = ptx::Space::generic;
  ptx::AtomicOp atomic = ptx::AtomicOp::none;
  /// For accesses to shared memory at addresses that are the same in every block: position in Warp::patterns.
  std::uint32_t pattern = kNoOperand;
  std::uint32_t detail = 0;  ///< Index into Program::details: the form (types, modifiers) for rare handlers.
};

constexpr std::uint8_t kGuardNegated = 0x80;
constexpr std::uint8_t kNarrowAddress = 0x40;  ///< Operation::negated: the address register is a 4-byte slot.

}  // namespace warpbook::simulator
