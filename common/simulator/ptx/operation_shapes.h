// The operand column of the operation table, parsed once: what the decoder expects for each operand.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/simulator/ptx/operation_table.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::ptx {

/// The kinds of operands.
enum class Shape : std::uint8_t {
  type0,      ///< T: a register or immediate of the 1st type modifier
  type1,      ///< U: of the 2nd
  type2,      ///< V: of the 3rd
  wide,       ///< W: twice as wide as the 1st
  fixed,      ///< "u32", ...: of the type OperandShape::fixed, whatever the modifiers say
  predicate,  ///< pred
  vector,     ///< "T*": {a, b, ...} or a scalar; OperandShape::element gives the kind of its elements
  address,    ///< addr: [register or symbol + displacement]
  image,      ///< image: [handle, {coordinates}] of a texture or surface; a query has no coordinates
  place,      ///< at: an address among several: an 8-byte slot with the complete address; coordinates may follow
  immediate,  ///< imm: an integer literal
  label,      ///< a branch target or function
  any,        ///< a register, symbol or special register as written
};

struct OperandShape {
  Shape shape = Shape::any;
  Type fixed = Type::none;    ///< The type if `shape` (or, for vectors, `element`) is fixed.
  bool output = false;        ///< '='
  bool optional = false;      ///< '?'
  bool pair = false;          ///< "T|pred": a second output may follow after '|'.
  Shape second = Shape::any;  ///< The second half of a pair.
  Type second_fixed = Type::none;
  Shape element = Shape::type0;  ///< The kind of a vector's elements.
};

/// The operands of row @p id, in the order written. Parsed once; the reference stays valid.
const std::vector<OperandShape>& shapes(OperationId id);

/// Parses an operand column such as "=T|pred, addr, T, imm?". Empty if it is malformed.
std::optional<std::vector<OperandShape>> parse_shapes(std::string_view operands);

}  // namespace warpbook::simulator::ptx
