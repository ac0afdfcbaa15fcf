// What an operation does to undefined bits: which operands it has, how wide they are and how bits go from one to
// another.
#pragma once

#include <array>
#include <cstdint>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {

struct TaintRule {
  enum class Kind : std::uint8_t {
    none,
    defined,     ///< What it gives is defined whatever it gets.
    any,         ///< One undefined bit in, and all are undefined.
    same,        ///< A move.
    upwards,     ///< Sums and products: from the lowest undefined bit on.
    extend,      ///< An integer as wide as the input, cut or extended (with its sign: `sign`) to the output.
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
  /// Sizes of operands are those of their types in bytes; 0: there is none.
  static constexpr std::uint8_t kPredicate = 0x80;

  Handler handler = nullptr;  ///< What executes it.
  std::uint32_t shadow = 0;   ///< From a slot to its shadow, which has the same layout.
  std::uint32_t origins = 0;  ///< From a frame's registers to the numbers of origins, one for each 64 bytes of slots.
  Kind kind = Kind::none;
  std::array<std::uint8_t, 2> outputs = {};  ///< Operation::d, e
  std::array<std::uint8_t, 4> inputs = {};   ///< Operation::a, b, c, f
  std::uint8_t element = 0;                  ///< Of an access: bytes of each element in memory.
  /// Loads, shifts, extractions and conversions extend with the sign; sums are differences; what is compared are
  /// integers.
  bool sign = false;
  bool carry_in = false, carry_out = false;
  bool exchanges = false;  ///< Of an atomic: what was there decides nothing.
  std::uint8_t table = 0;
  mutable std::uint32_t site = 0;  ///< Its number in findings, once it has one.
};

/// Where the shadows of a frame's registers begin, and where its origins: both behind the registers.
constexpr std::uint32_t shadow_offset(std::uint32_t register_bytes) { return (register_bytes + 63) / 64 * 64; }
constexpr std::uint32_t origins_offset(std::uint32_t register_bytes) { return 2 * shadow_offset(register_bytes); }
constexpr std::uint32_t tainted_frame_bytes(std::uint32_t register_bytes) {
  return origins_offset(register_bytes) + shadow_offset(register_bytes) / 16;
}

/// Lets a checker follow undefined bits through @p program. Behind watch(): what that put in front stays in front.
void follow_undefined(Program& program);

}  // namespace warpbook::simulator
