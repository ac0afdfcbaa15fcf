// Which parts of registers a video instruction's operands name, packed into Operation::immediate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

/// Each operand takes 16 bits of one word; the highest bits say which operands are negated.
///
/// Scalar instructions: 0 for the whole register, 1 to 4 for bytes 0 to 3, 5 and 6 for the low and high half. SIMD
/// instructions: in a source, four bits per element give its byte (or half) number within {a, b}; in a destination, one
/// bit per element.
struct VideoParts {
  std::uint16_t d = 0, a = 0, b = 0;
  std::uint8_t negated = 0;  ///< Bits 0 to 2: a, b, c.

  std::int64_t packed() const;
  static VideoParts unpack(std::int64_t immediate);
};

/// Elements of a SIMD video instruction (2 or 4); 1 for a scalar one, 0 for any other instruction.
unsigned video_width(ptx::OperationId id);

/// "b0" of "%r1.b0"; empty if @p name names a whole register.
std::string_view part_of_register(std::string_view name);

/// @throws DecodeError if an operand names parts that the instruction does not take
VideoParts video_parts(ptx::OperationId id, const ptx::Instruction& instruction);

}  // namespace warpbook::simulator
