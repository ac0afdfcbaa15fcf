// Which instructions of a kernel come out the same in every block of a launch: they are executed once for each warp.
//
// Much of what a kernel computes depends on the launch and on the thread's place in its block alone: addresses of its
// parameters, `threadIdx.y * 16 + threadIdx.x`, where a thread's part of a tile lies, whether a thread is one of the
// first 128. The machine computes these before a warp's first block and leaves them out of what it executes; they are
// counted as always, because counts follow from those of basic blocks. Their registers get slots of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/kernel/liveness.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

/// What one instruction is, as far as it matters here.
struct InstructionKind {
  /// It always executes for all lanes that come by, its result follows from its operands, and those that are no
  /// registers are the same for all blocks.
  bool repeats = false;
  /// It looks at other lanes' registers: those of lanes that did not come by are to hold what they held.
  bool crosses_lanes = false;
};

/// @param live_at_entry registers that may be read before they are written (SlotAssignment)
/// @returns for each instruction, whether it comes out the same in every block
std::vector<bool> find_launch_constants(const std::vector<InstructionKind>& kinds, const std::vector<Access>& accesses,
                                        const std::vector<std::uint32_t>& live_at_entry, std::size_t registers);

/// True for arithmetic, logic, comparisons and conversions: rows whose result depends on their operands and nothing
/// else, in each lane by itself.
bool is_pure(ptx::OperationId id);
/// True for functions among the lanes of a warp.
bool crosses_lanes(ptx::OperationId id);

}  // namespace warpbook::simulator
