// One decoded instruction: a handler and the offsets of its operands, in a fixed size.
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

/// What one byte says about an operation's operands.
class OperandFlags {
 public:
  /// Whether predicate input number @p input (a = 0, b = 1, c = 2, f = 3) is written "!%p".
  bool negates(unsigned input) const { return (bits_ >> input & 1u) != 0; }
  /// Whether the guard is written "@!%p".
  bool negates_guard() const { return (bits_ & kGuard) != 0; }
  /// Whether the address register a is a slot of 4 bytes.
  bool has_narrow_address() const { return (bits_ & kNarrowAddress) != 0; }

  void negate(unsigned input) { bits_ |= static_cast<std::uint8_t>(1u << input); }
  void negate_guard() { bits_ |= kGuard; }
  /// For a branch that skips a guarded operation: it branches where the guard does not hold.
  void turn_guard_round() { bits_ ^= kGuard; }
  void set_narrow_address() { bits_ |= kNarrowAddress; }

 private:
  static constexpr std::uint8_t kNarrowAddress = 0x40, kGuard = 0x80;  // Below: a bit for each predicate input.
  std::uint8_t bits_ = 0;
};

struct Operation {
  Handler handler = nullptr;
  Handler guarded = nullptr;     ///< After a guard: runs for the lanes that pass (handler is then the guard).
  std::uint32_t d = kNoOperand;  ///< First output; for vectors an index into Program::lists.
  std::uint32_t e = kNoOperand;  ///< Second output ("p|q", "d|p").
  std::uint32_t a = kNoOperand;  ///< Inputs in the order written; for [address] the base register.
  std::uint32_t b = kNoOperand;  ///< Also: the instructions of a basic block up to the first that reads a clock, or its
                                 ///< end (in its entry); where a branch's paths reconverge.
  std::uint32_t c = kNoOperand;
  std::uint32_t f = kNoOperand;
  std::int64_t immediate = 0;  ///< Displacement of an address, lop3's table, a branch target (operation index).
  std::uint32_t guard = kNoOperand;
  std::uint32_t index = 0;   ///< Position in Program::operations.
  std::uint32_t memory = 0;  ///< For accesses: position in the memory counters. For a clock: the instructions from the
                             ///< one that reads it to the next that does, or to the end of the basic block.
  std::uint8_t count = 1;    ///< Elements of a vector access.
  OperandFlags flags;
  ptx::Space space = ptx::Space::generic;
  ptx::AtomicOp atomic = ptx::AtomicOp::none;
  /// For accesses to shared memory whose addresses are the same in every block: index into Warp::patterns. For accesses
  /// to global memory whose addresses are linear in the block index: index into Warp::global_patterns.
  std::uint32_t pattern = kNoOperand;
  /// For the two kinds of operations that count control flow.
  union {
    std::uint32_t block = 0;  ///< The entry of a basic block: its number in Program::blocks.
    std::uint32_t branch;     ///< A branch: its number in Program::branches, which is that of its counters, too.
  };
};
static_assert(sizeof(Operation) == 72, "The interpreter walks over these: a larger one costs time in every kernel.");

}  // namespace warpbook::simulator
