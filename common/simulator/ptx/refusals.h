// Combinations of modifiers that a row's pattern would take and NVIDIA's assembler refuses, with its reasons.
//
// Each is one WB_REFUSED in ptx/refusals.def:
//
//   WB_REFUSED(cvt_to_integer, ".ftz !2:f32", "'.ftz' is for .f32 sources")
//
// The terms have all to be true of an instruction:
//   .a|b     one of these words is written         !.a|b   none of them is
//   1:a|b    the first type is one of these         !1:a|b  it is none of them (2: and 3: likewise)
//   pair     the first operand is "p|q"             !pair   it is not
//
// sweep.py writes every form that the patterns allow, asks ptxas, and records how many of each row's it takes. What the
// forms leave open, types of operands and the module around them, is in kernel/operand_types.h and
// kernel/module_rules.h, and testdata/judged_forms.txt has what ptxas answered.
#pragma once

#include <string>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::ptx {

/// Why @p instruction, which matches row @p id, is rejected; empty if it is accepted.
std::string refusal(OperationId id, const Instruction& instruction);

/// What @p instruction, which is written as no row, is a form of, by ptx/elsewhere.def: instructions of PTX that are
/// not here. Empty if it is none of them.
std::string elsewhere(const Instruction& instruction);

}  // namespace warpbook::simulator::ptx
