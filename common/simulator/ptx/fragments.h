// How many registers of each lane hold the matrices of an instruction: 32 lanes share the elements evenly.
#pragma once

#include <array>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::ptx {

/// Bits of one element of @p type in a matrix: 1 for b1, 4 for s4, 32 for tf32.
unsigned element_bits(Type type);

/// Registers (of 64 bits for f64, else of 32) of the operands of @p id as they are written, 0 for those that are no
/// fragment. All 0 for operations without matrices.
std::array<unsigned, 4> fragment_registers(OperationId id, const Modifiers& modifiers);

}  // namespace warpbook::simulator::ptx
