// Operands that match a row's shapes but that NVIDIA's assembler rejects: wrong numbers of coordinates, and literals
// that are out of range. ptx/refusals.def has what is rejected because of modifiers alone.
#pragma once

#include <string>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::ptx {

/// Why the operands of @p instruction, which matches row @p id, are invalid; empty if they are valid.
std::string refused_operands(OperationId id, const Instruction& instruction);

}  // namespace warpbook::simulator::ptx
