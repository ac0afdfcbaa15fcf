// Operands that a row's shapes would take and NVIDIA's assembler refuses: numbers of coordinates, and literals that are
// out of range. What is refused by modifiers alone is in ptx/refusals.def.
#pragma once

#include <string>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::ptx {

/// Why @p instruction, which is written as row @p id, may not have its operands; empty if it may.
std::string refused_operands(OperationId id, const Instruction& instruction);

}  // namespace warpbook::simulator::ptx
