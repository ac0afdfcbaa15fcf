// The one table of operations: which PTX instructions exist here, how they are written, and what they cost.
//
// Each row is one WB_OPERATION in ptx/operations/*.def:
//
//   WB_OPERATION(add_f32, add, "{.rn|rz|rm|rp} {.ftz} {.sat} .f32", "=T, T, T", fma)
//                 |        |    |                                     |          |
//                 id       |    modifiers, in the manual's order:     operands   pipe of the time model
//                          opcode   .a|b one of them, {.a|b} optional, {.a.b} both or none
//
// A row drives the matcher (which row an instruction is), the decoder (how its operands are lowered), the dispatch
// (machine/operations has one resolver per id), the documentation of what is supported, and the test that every row is
// tested.
//
// Operand shapes, comma separated; '=' marks an output, '?' at the end an optional operand:
//   T U V  a register or immediate of the 1st, 2nd, 3rd type modifier     W   twice as wide as the 1st
//   b32 u32 b64 s32 ... that fixed type        pred  a predicate        T|pred, pred|pred  a pair (the second optional)
//   T*     a vector operand or scalar of the first type (ld, st)         addr  [register + displacement]
//   T*|pred the same and a predicate             image  [handle, {coordinates}] of a texture or surface
//   at     an address among several, [register + displacement] or [register, {coordinates}]
//   b32*   a fragment: the list of registers in which a lane holds its part of a matrix (ptx/fragments.h)
//   imm    an integer literal, kept in Operation::immediate               label  a branch target
//   any    a register, symbol or special register as written (mov)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::ptx {

enum class OperationId : std::uint16_t {
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) id,
#include "common/simulator/ptx/operations.def"
#undef WB_OPERATION
  count
};

/// The execution pipe that a row occupies; its throughput is a constant of the device (model/).
/// `none` is for what does not exist in machine code: ld.param, cvta, plain moves, labels.
enum class Pipe : std::uint8_t { none, alu, fma, fmaheavy, fp16, fp64, xu, lsu, branch, uniform, barrier, tensor };
std::string_view name_of(Pipe pipe);

struct OperationRow {
  OperationId id;
  std::string_view name;  ///< The id's own name.
  std::string_view opcode;
  std::string_view modifiers;  ///< The pattern.
  std::string_view operands;   ///< The shapes.
  Pipe pipe;
};

/// All rows, indexed by OperationId.
const OperationRow& row(OperationId id);

/// Whether it is an atomic operation on memory or a reduction (an atomic without a result).
bool is_atomic(OperationId id);

/// The syntax of a row without operands: "add{.rn|rz|rm|rp}{.ftz}{.sat}.f32".
std::string written_form(const OperationRow& row);

struct Match {
  OperationId id;
  Modifiers modifiers;
};

/// Finds the row of @p instruction: the first one whose pattern accepts its modifiers and whose shapes fit its
/// operands, or else the first one that accepts its modifiers and the number of its operands. Empty if there is none:
/// @p nearest (if not null) then receives the syntax of the rows of that opcode, for the error message.
std::optional<Match> match(const Instruction& instruction, std::string* nearest = nullptr);

}  // namespace warpbook::simulator::ptx
