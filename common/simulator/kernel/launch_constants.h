// Which instructions of a kernel give the same result in every block of a launch: they are executed once for each warp.
//
// Much of what a kernel computes depends only on the launch and on the thread's place in its block: addresses of its
// parameters, `threadIdx.y * 16 + threadIdx.x`, where a thread's part of a tile lies, whether a thread is one of the
// first 128. The machine computes these before a warp's first block and leaves them out of what it executes. They are
// counted as always, because their counts follow from those of the basic blocks. Their registers get slots of their
// own.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/kernel/liveness.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

/// The properties of an instruction that matter here.
struct InstructionKind {
  /// It executes for all lanes that reach it, its result follows from its operands, and operands other than registers
  /// are the same in all blocks.
  bool repeats = false;
  /// It reads other lanes' registers: lanes that did not reach it must keep their old values there.
  bool crosses_lanes = false;
};

/// @param live_at_entry registers that may be read before they are written (SlotAssignment)
/// @returns for each instruction, whether its result is the same in every block
std::vector<bool> find_launch_constants(const std::vector<InstructionKind>& kinds, const std::vector<Access>& accesses,
                                        const std::vector<std::uint32_t>& live_at_entry, std::size_t registers);

/// True for arithmetic, logic, comparisons and conversions: the result in each lane depends on that lane's operands and
/// nothing else.
bool is_pure(ptx::OperationId id);
/// True for warp-level functions: shuffle, vote, match, reduction.
bool crosses_lanes(ptx::OperationId id);

}  // namespace warpbook::simulator
