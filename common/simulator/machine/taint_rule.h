// How an operation propagates undefined bits: its operands, their sizes, and the rule from inputs to outputs.
#pragma once

#include <array>
#include <cstdint>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {

struct TaintRule {
  enum class Kind : std::uint8_t {
    none,
    defined,     ///< The result is defined whatever the inputs are.
    any,         ///< One undefined input bit makes all output bits undefined.
    same,        ///< A move.
    upwards,     ///< Sums and products: all bits from the lowest undefined one upwards.
    extend,      ///< An integer as wide as the input, truncated or extended (signed: `sign`) to the output.
    logic,       ///< Bit by bit, by the truth table `table` of lop3.
    select,      ///< selp
    shift_left,  ///< By operand b.
    shift_right,
    funnel,   ///< shf
    extract,  ///< bfe
    insert,   ///< bfi
    permute,  ///< prmt
    compare,  ///< setp
    pack,
    unpack,
    shuffle,
    vote,
    ballot,
    among_lanes,  ///< match, redux
    load,
    store,
    atomic,
    copy,    ///< cp.async
    matrix,  ///< Of matrix.def.
    image,   ///< Of image.def.
    branch,
    indexed_branch,
    call,
    indirect_call,
    ret,
    system_call,
    block_vote,  ///< bar.red
  };
  /// Operand sizes are those of their types in bytes; 0: no such operand.
  static constexpr std::uint8_t kPredicate = 0x80;

  Handler handler = nullptr;  ///< Executes it.
  std::uint32_t shadow = 0;   ///< Offset from a slot to its shadow, which has the same layout.
  std::uint32_t origins = 0;  ///< Offset from a frame's registers to the numbers of origins, one for each 64 bytes of
                              ///< slots.
  Kind kind = Kind::none;
  std::array<std::uint8_t, 2> outputs = {};  ///< Operation::d, e
  std::array<std::uint8_t, 4> inputs = {};   ///< Operation::a, b, c, f
  std::uint8_t element = 0;                  ///< For an access: bytes of each element in memory.
  /// Loads, shifts, extractions and conversions are signed; a sum is a difference; a comparison is of integers.
  bool sign = false;
  bool list = false;  ///< The first output is a list of registers.
  bool carry_in = false, carry_out = false;
  bool exchanges = false;  ///< For an atomic: the old value decides nothing.
  std::uint8_t table = 0;
  mutable std::uint32_t site = 0;  ///< Its number in findings, once assigned.
};

/// Where the shadows of a frame's registers begin, and where its origins do: both after the registers.
constexpr std::uint32_t shadow_offset(std::uint32_t register_bytes) { return (register_bytes + 63) / 64 * 64; }
constexpr std::uint32_t origins_offset(std::uint32_t register_bytes) { return 2 * shadow_offset(register_bytes); }
constexpr std::uint32_t tainted_frame_bytes(std::uint32_t register_bytes) {
  return origins_offset(register_bytes) + shadow_offset(register_bytes) / 16;
}

/// Makes a checker propagate undefined bits through @p program. Call it after watch(), whose handlers stay in front.
void follow_undefined(Program& program);

}  // namespace warpbook::simulator
