// How many registers per lane hold an instruction's matrices: 32 lanes share the elements evenly.
#pragma once

#include <array>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::ptx {

/// Bits of one element of @p type in a matrix: 1 for b1, 4 for s4, 32 for tf32.
unsigned element_bits(Type type);

/// Registers (64-bit for f64, else 32-bit) of the operands of @p id in the order written; 0 for operands that are not
/// fragments. All 0 for operations without matrices.
std::array<unsigned, 4> fragment_registers(OperationId id, const Modifiers& modifiers);

}  // namespace warpbook::simulator::ptx
