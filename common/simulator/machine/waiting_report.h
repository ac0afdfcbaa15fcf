// Reports who waits where when nothing can continue: at a barrier that some threads of a block never reach, and in a
// grid whose blocks wait for each other forever.
#pragma once

#include <memory>
#include <vector>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/fault.h"

namespace warpbook::simulator {

/// The fault of a block in which no warp can ever continue: a barrier that not all threads reach
/// (FaultKind::divergent_barrier), or lanes that wait for lanes of their warp (FaultKind::deadlock).
Fault stuck_block(const BlockState& block);

/// The fault of a spinning grid: every block in @p resident waits for something that no thread will write.
Fault endless_grid(const std::vector<std::unique_ptr<BlockState>>& resident, std::uint64_t blocks);

/// The fault of a launch that has reached its step limit while @p block ran.
Fault stopped_block(const BlockState& block, std::uint64_t limit);

/// A fault of @p kind in @p block, at the position of one of its warps: one that can run, if there is one.
Fault fault_of(const BlockState& block, FaultKind kind, FaultText message);

}  // namespace warpbook::simulator
