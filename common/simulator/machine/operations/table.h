// From a row of the operation table to its handler, for the instruction set chosen at startup.
//
// A family file (integer.cpp, memory.cpp, ...) is compiled once for each instruction set and defines, in namespace
// operations::WB_ISA, one `Handler resolve_<id>(const ptx::Modifiers&)` for each of its rows. It returns nullptr for an
// invalid combination of modifiers (the decoder then rejects the instruction by name).
#pragma once

#include "common/simulator/kernel/operation.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::operations {

/// The handler of row @p id with @p modifiers; nullptr if that combination is not supported.
Handler find_handler(ptx::OperationId id, const ptx::Modifiers& modifiers);

}  // namespace warpbook::simulator::operations
